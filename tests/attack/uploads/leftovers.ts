import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '#server/platform/database/sqlite/open-sqlite.ts'
import type { S3Settings } from '#server/platform/config/config.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'

/** Where a server stores its data. */
export type Kept = { readonly dataFolder: string; readonly s3: S3Settings | undefined }

export type Leftovers = {
  readonly blobs: readonly string[]
  readonly staged: readonly string[]
  /** Parts of multipart uploads, or copies, that were never completed. */
  readonly halves: readonly string[]
}

/** Lists the files on disk and in storage. */
export async function leftovers({ dataFolder, s3 }: Kept): Promise<Leftovers> {
  const blobs: string[] = []
  const storage = await openStorage({ dataFolder, s3 }, () => undefined)
  for await (const { hash } of storage.list()) blobs.push(hash)
  const onDisk = await readdir(join(dataFolder, 'blobs'), { recursive: true }).catch(() => [])
  const copies = onDisk.filter((name) => name.endsWith('.new'))
  const parts = s3 === undefined ? [] : await multipartsIn(s3)
  return { blobs, staged: await readdir(join(dataFolder, 'uploads')).catch(() => []), halves: [...copies, ...parts] }
}

export type RowsLeft = {
  readonly uploads: number
  readonly assets: number
  /** Blobs with a database row, and the number of unused blobs that aren't quarantined. */
  readonly known: ReadonlySet<string>
  readonly unusedOutsideQuarantine: number
}

/** Requires a stopped server. */
export async function rowsLeft(dataFolder: string): Promise<RowsLeft> {
  const database = await openSqlite({ file: join(dataFolder, 'dossier.db') })
  const { read } = database
  const assets = await read.selectFrom('assets').select('hash').execute()
  const used = new Set(assets.map(({ hash }) => hash))
  const blobs = await read.selectFrom('blobs').select(['hash', 'quarantined_at']).execute()
  const rows = {
    uploads: (await read.selectFrom('uploads').select('id').execute()).length,
    assets: assets.length,
    known: new Set(blobs.map(({ hash }) => hash)),
    unusedOutsideQuarantine: blobs.filter(({ hash, quarantined_at }) => quarantined_at === null && !used.has(hash))
      .length,
  }
  await database.close()
  return rows
}

async function multipartsIn(place: S3Settings): Promise<string[]> {
  const { ListMultipartUploadsCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    endpoint: place.endpoint.href,
    region: place.region,
    forcePathStyle: true,
    credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey.reveal() },
  })
  const { Uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket: place.bucket, Prefix: place.prefix }),
  )
  client.destroy()
  return Uploads.map(({ Key = '' }) => Key)
}
