import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '#domain/shared/problem.ts'

/** Largest CSV that is taken, in bytes: about ten million rows, and still read in minutes. */
const MAX_CSV_BYTES = 1024 ** 3

/** Where the files of imports lie. */
export type StagingPlace = { readonly dataFolder: string }

const folderOf = ({ dataFolder }: StagingPlace): string => join(dataFolder, 'imports')

/** Where the CSV of an import lies until the import is over. */
export const csvPathOf = (place: StagingPlace, id: string): string => join(folderOf(place), `${id}.csv`)

/** Where the refused rows of an import are written down. */
export const errorsPathOf = (place: StagingPlace, id: string): string => join(folderOf(place), `${id}.errors.csv`)

/** Takes a CSV in as it comes and answers its size; what is too large or breaks off leaves nothing behind. */
export async function stageCsv(place: StagingPlace, id: string, body: Readable): Promise<number> {
  await mkdir(folderOf(place), { recursive: true })
  const path = csvPathOf(place, id)
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > MAX_CSV_BYTES) throw new Problem('too-large', TOO_LARGE)
      yield chunk
    }
  }
  return orRemoving(
    [path],
    pipeline(body, counted, createWriteStream(path, { mode: 0o600 })).then(() => bytes),
  )
}

const TOO_LARGE =
  'The file is larger than 1 GB. Split it, and import its parts one after another. Nothing was imported.'

/** Waits for some work on files; when it fails they go away. */
export const orRemoving = <Answer>(paths: readonly string[], work: Promise<Answer>): Promise<Answer> =>
  work.then(undefined, async (error: unknown) => {
    await removeFiles(paths)
    throw error
  })

/** Removes files, whether they are there or not. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}

/** Whether there is a file. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Whether nothing was written to any of these files for so long; the disk's own clock tells, not ours. */
export async function areForgotten(paths: readonly string[], forMs: number): Promise<boolean> {
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

/** The ids of the imports that have files, and the files of each. */
export async function stagedFiles(place: StagingPlace): Promise<Map<string, string[]>> {
  await mkdir(folderOf(place), { recursive: true })
  const names = await readdir(folderOf(place))
  const byId = Map.groupBy(names, (name) => name.split('.', 1)[0] ?? name)
  return new Map([...byId].map(([id, files]) => [id, files.map((file) => join(folderOf(place), file))]))
}
