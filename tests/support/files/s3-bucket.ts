import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { S3Settings } from '#server/platform/config/config.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { openS3Server, type S3Server } from './s3-server.ts'

export const placeAt = (
  { url, key, bucket }: Pick<S3Server, 'url' | 'key' | 'bucket'>,
  prefix: string = randomUUID(),
): S3Settings => ({
  endpoint: new URL(url),
  bucket,
  region: 'us-east-1',
  accessKeyId: key.id,
  secretAccessKey: secret(key.secret),
  prefix: `${prefix}/`,
})

let inThisProcess: Promise<S3Server> | undefined

/**
 * S3 settings with a new prefix in the bucket given by `TEST_S3` (`http://key:secret@host:port/bucket`, see
 * `scripts/test-s3.ts`); by default, they refer to an S3 server in this process.
 */
export async function testPlace(prefix?: string): Promise<S3Settings> {
  const named = process.env['TEST_S3']
  if (named === undefined) {
    inThisProcess ??= openS3Server()
    return placeAt(await inThisProcess, prefix)
  }
  const { origin, pathname, username, password } = new URL(named)
  const key = { id: decodeURIComponent(username), secret: decodeURIComponent(password) }
  return placeAt({ url: origin, bucket: pathname.slice(1), key }, prefix)
}

/** S3 settings for this test run; undefined if files are stored on disk. */
export const placeOfRun = async (dataFolder: string): Promise<S3Settings | undefined> =>
  process.env['DOSSIER_TEST_STORAGE'] === 's3' ? testPlace(basename(dataFolder)) : undefined

/** S3 settings as environment variables. */
export const settingsOf = (place: S3Settings | undefined): Readonly<Record<string, string>> =>
  place === undefined
    ? {}
    : {
        S3_ENDPOINT: place.endpoint.origin,
        S3_BUCKET: place.bucket,
        S3_REGION: place.region,
        S3_ACCESS_KEY_ID: place.accessKeyId,
        S3_SECRET_ACCESS_KEY: place.secretAccessKey.reveal(),
        S3_PREFIX: place.prefix,
      }
