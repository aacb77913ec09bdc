import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { type Check, MAX_FINDINGS } from '#server/operations/doctor/check.ts'
import { assetsAfter } from '#server/operations/doctor/store.ts'

const PAGE = 500

/** Blobs asked for at a time: a storage elsewhere answers each in some milliseconds. */
const MAX_CONCURRENT = 20

/** Every file that a record may show is in the storage, in its full length. */
export const checkMissingFiles: Check = {
  name: 'Every file is in the storage',
  run: async ({ database, blobs }) => {
    const findings: string[] = []
    let page = await assetsAfter(database.read, '', PAGE)
    while (page.length > 0) {
      for (let at = 0; at < page.length; at += MAX_CONCURRENT) {
        const some = page.slice(at, at + MAX_CONCURRENT)
        const found = await Promise.all(some.map((file) => faultOf(blobs, file)))
        findings.push(...found.filter((finding) => finding !== undefined))
      }
      if (findings.length >= MAX_FINDINGS) return findings
      page = await assetsAfter(database.read, page.at(-1)?.id ?? '', PAGE)
    }
    return findings
  },
}

type File = Awaited<ReturnType<typeof assetsAfter>>[number]

async function faultOf(blobs: BlobStorage, { id, name, hash, bytes }: File): Promise<string | undefined> {
  const blob = await blobs.open(hash)
  if (blob === undefined) return `File ${name} (${id}) is missing from the storage.`
  return blob.bytes === bytes ? undefined : `File ${name} (${id}) has ${blob.bytes} bytes instead of ${bytes}.`
}
