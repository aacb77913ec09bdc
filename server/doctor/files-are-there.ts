import type { BlobStorage } from '#server/storage/blob-storage.ts'
import { type Check, MOST_FINDINGS } from './check.ts'
import { assetsAfter } from './store.ts'

const PAGE = 500

/** Every file that a record may show is in the storage. */
export const filesAreThere: Check = {
  name: 'The bytes of every file are there',
  run: async ({ database, blobs }) => {
    const findings: string[] = []
    let page = await assetsAfter(database.read, '', PAGE)
    while (page.length > 0) {
      for (const { id, name, hash } of page) {
        if (!(await isThere(blobs, hash))) findings.push(`The bytes of the file ${name} (${id}) are gone.`)
      }
      if (findings.length >= MOST_FINDINGS) return findings
      page = await assetsAfter(database.read, page.at(-1)?.id ?? '', PAGE)
    }
    return findings
  },
}

const isThere = async (blobs: BlobStorage, hash: string): Promise<boolean> => (await blobs.usedAt(hash)) !== undefined
