import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ID_PATTERN, idLowerBound } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { createRateMeter, UPLOAD_RATE } from '#server/platform/storage/staging/receive-body.ts'
import { rethrowFullDisk, stagingDiskFull } from '#server/files/uploads/assert-capacity.ts'

/** Maximum size of a CSV file, enough for about ten million rows. */
export const MAX_CSV_BYTES = 4 * 1024 ** 3

export type StagingFolder = { readonly dataFolder: string }

const folderOf = ({ dataFolder }: StagingFolder): string => join(dataFolder, 'imports')

export const csvPathOf = (place: StagingFolder, id: string): string => join(folderOf(place), `${id}.csv`)

export const errorsPathOf = (place: StagingFolder, id: string): string => join(folderOf(place), `${id}.errors.csv`)

/** Bytes between checks of the free disk space. */
const DISK_CHECK_BYTES = 16 * 1024 * 1024

/** Stores a CSV as it arrives and returns its size; a failed transfer leaves nothing behind. */
export async function stageCsv(
  place: StagingFolder & { readonly diskFloorBytes: number },
  id: string,
  body: Readable,
): Promise<number> {
  await mkdir(folderOf(place), { recursive: true })
  const path = csvPathOf(place, id)
  const rate = createRateMeter(UPLOAD_RATE)
  let bytes = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  async function* checked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let requestedAt = performance.now()
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > MAX_CSV_BYTES) throw new Problem('too-large', TOO_LARGE)
      if (rate.isTooSlow(chunk.length, performance.now() - requestedAt)) throw new Problem('invalid-csv', TOO_SLOW)
      if (bytes - lookedAt > DISK_CHECK_BYTES) {
        lookedAt = bytes
        await requireFreeDisk(place)
      }
      yield chunk
      requestedAt = performance.now()
    }
  }
  const storing = pipeline(body, checked, createWriteStream(path, { mode: 0o600 })).then(() => bytes, rethrowFullDisk)
  return removingOnFailure([path], storing)
}

async function requireFreeDisk(place: StagingFolder & { readonly diskFloorBytes: number }): Promise<void> {
  const { bavail, bsize } = await statfs(folderOf(place))
  if (bavail * bsize < place.diskFloorBytes) throw stagingDiskFull()
}

const TOO_SLOW = 'The upload was too slow and was discarded. Check your connection and try again.'

const TOO_LARGE = 'The file is larger than 4 GB. Split it and import the parts one after another. Nothing was imported.'

/** Removes the files if `work` fails. */
export const removingOnFailure = <Answer>(paths: readonly string[], work: Promise<Answer>): Promise<Answer> =>
  work.then(undefined, async (error: unknown) => {
    await removeFiles(paths)
    throw error
  })

export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Whether the import and all its files, by modification time, are older than `forMs`. */
export async function areStale(id: string, paths: readonly string[], forMs: number): Promise<boolean> {
  if (id >= idLowerBound(Date.now() - forMs)) return false
  const changed = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  )
  return changed.every((changedMs) => Date.now() - changedMs > forMs)
}

const ENDINGS: ReadonlySet<string> = new Set(['csv', 'errors.csv'])

/** Files by import ID. */
export async function stagedFiles(place: StagingFolder): Promise<Map<string, string[]>> {
  await mkdir(folderOf(place), { recursive: true })
  const names = await readdir(folderOf(place))
  const staged = names.flatMap((name) => {
    const [id = '', ...ending] = name.split('.')
    const isOurs = ID_PATTERN.test(id) && ENDINGS.has(ending.join('.'))
    return isOurs ? [{ id, path: join(folderOf(place), name) }] : []
  })
  const byId = Map.groupBy(staged, ({ id }) => id)
  return new Map([...byId].map(([id, files]) => [id, files.map(({ path }) => path)]))
}
