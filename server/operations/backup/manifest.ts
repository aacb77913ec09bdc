import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '#domain/shared/problem.ts'

/** Written last, so a folder with this file contains a complete backup. */
export const MANIFEST_FILE = 'manifest.json'

export const DATABASE_FOLDER = 'database'

export const BLOB_FOLDER = 'blobs'

/** The hashes of all files in the backup, one per line. */
export const BLOB_LIST = 'blobs.txt'

export const KEY_FILE = 'keys.json'

/** Incremented when older versions can't read the new format. */
const FORMAT = 1

const manifest = z.object({
  format: z.literal(FORMAT),
  /** Informational only. */
  writtenBy: z.string(),
  at: z.iso.datetime(),
  /** Missing if the database had no workspace ID. */
  workspace: z.uuid().optional(),
  dialect: z.enum(['sqlite', 'postgres']),
  /** The last applied migration. */
  migration: z.int(),
  /** Row counts per table. */
  rows: z.record(z.string(), z.int()),
  /** All files in the backup except this one and the blobs, whose names are their hashes. */
  parts: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
  /** `left`: blobs not copied from storage. `lost`: blobs already missing or damaged. */
  blobs: z.object({
    are: z.enum(['inside', 'left']),
    count: z.int(),
    bytes: z.int(),
    lost: z.array(z.string()),
  }),
})

export type Manifest = z.infer<typeof manifest>

export const newManifest = (rest: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...rest })

/** Throws a Problem if the folder isn't a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const said = await readFile(join(folder, MANIFEST_FILE), 'utf8')
    .then((text): unknown => JSON.parse(text))
    .then(undefined, () => undefined)
  const read = manifest.safeParse(said)
  if (read.success) return read.data
  throw new Problem(
    'not-found',
    `${folder} isn't a backup this version can read: ${MANIFEST_FILE} is missing or invalid. Interrupted backups have none.`,
  )
}
