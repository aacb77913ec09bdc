import { S3Client, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { Problem } from '#domain/shared/problem.ts'
import type { S3Settings } from '#server/platform/config/config.ts'

/** Maximum attempts per request, including the first; delays start at 0.1 s and double each time. */
const MAX_ATTEMPTS = 4

const CONNECT_TIMEOUT_MS = 3000

/** Idle timeout in ms; completing a large multipart upload takes several seconds. */
const IDLE_TIMEOUT_MS = 30_000

/** Response timeout in ms; enough for an 8 MiB part at 0.5 Mbit/s. */
const RESPONSE_TIMEOUT_MS = 120_000

/** Time limit in ms for a metadata request, including all attempts. */
export const REQUEST_TIMEOUT_MS = 15_000

/** Time limit in ms for a health check, including all attempts. */
export const HEALTH_CHECK_TIMEOUT_MS = 5000

export const withTimeoutSignal = (ms: number = REQUEST_TIMEOUT_MS): { readonly abortSignal: AbortSignal } => ({
  abortSignal: AbortSignal.timeout(ms),
})

const RETRY_AFTER_SECONDS = 15

export type Bucket = {
  readonly client: S3Client
  readonly name: string
  readonly prefix: string
  readonly ask: <Answer>(asking: Promise<Answer>) => Promise<Answer>
  readonly askIfThere: <Answer>(asking: Promise<Answer>) => Promise<Answer | undefined>
}

export type Report = (error: unknown) => void

export function openBucket(place: S3Settings, report: Report): Bucket {
  const client = new S3Client({
    endpoint: place.endpoint.href,
    region: place.region,
    credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey.reveal() },
    // Only Amazon supports every bucket name as part of the host name.
    forcePathStyle: !place.endpoint.hostname.endsWith('.amazonaws.com'),
    // Other providers reject the SDK's default checksums; Content-MD5 and the request signature are used instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      requestTimeout: RESPONSE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
  const ask: Bucket['ask'] = async (asking) => {
    try {
      return await asking
    } catch (error) {
      report(error)
      throw storageUnavailable()
    }
  }
  const askIfThere: Bucket['askIfThere'] = (asking) =>
    ask(
      asking.then(
        (answer) => answer,
        (error: unknown) => {
          if (isMissing(error)) return undefined
          throw error
        },
      ),
    )
  return { client, name: place.bucket, prefix: place.prefix, ask, askIfThere }
}

export const storageUnavailable = (): Problem =>
  new Problem('storage-away', 'File storage is not responding. No data is lost. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** HEAD responses only have a status. */
const codeOfS3 = (error: unknown): string => (error instanceof Error ? error.name : '')

export function statusOfS3(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return 0
  const { $metadata } = error
  const isReported = typeof $metadata === 'object' && $metadata !== null && 'httpStatusCode' in $metadata
  return isReported && typeof $metadata.httpStatusCode === 'number' ? $metadata.httpStatusCode : 0
}

/** Whether the object is missing; a missing bucket is a different error. */
const isMissing = (error: unknown): boolean => statusOfS3(error) === 404 && codeOfS3(error) !== 'NoSuchBucket'

export async function describeS3StartError(place: S3Settings): Promise<string | undefined> {
  const { client, name, prefix } = openBucket(place, () => undefined)
  const requested = client.send(new ListObjectsV2Command({ Bucket: name, Prefix: prefix, MaxKeys: 1 }))
  return requested
    .then(
      () => undefined,
      (error: unknown) => describeS3Error(error, place),
    )
    .finally(() => client.destroy())
}

function describeS3Error(error: unknown, { endpoint, bucket, region, accessKeyId }: S3Settings): string {
  switch (codeOfS3(error)) {
    case 'NoSuchBucket':
      return `S3_BUCKET: bucket ${bucket} doesn't exist at ${endpoint.host}. Create it, or correct the name.`
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY_ID: unknown access key ${accessKeyId} at ${endpoint.host}. Correct it.`
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY doesn't match the access key ${accessKeyId} at ${endpoint.host}. Correct it.`
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return `S3_REGION: bucket ${bucket} is not in region ${region}. Set the region of the bucket.`
    case 'AccessDenied':
    case '403':
      return `S3_ACCESS_KEY_ID: access key ${accessKeyId} has no permission to list bucket ${bucket}. Grant list, read, write and delete permissions.`
    default:
      return statusOfS3(error) === 0
        ? `S3_ENDPOINT: can't connect to ${endpoint.host}. Start the store, or correct the URL.`
        : `S3_ENDPOINT: the store at ${endpoint.host} can't be used: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
  }
}
