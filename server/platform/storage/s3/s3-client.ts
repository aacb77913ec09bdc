import { S3Client } from '@aws-sdk/client-s3'
import { Problem } from '#domain/shared/problem.ts'
import type { S3Settings } from '#server/config.ts'

/** Tries of a request before it is given up, the first included; the pauses between them double from 0.1 s. */
const MAX_ATTEMPTS = 4

/** How long a store may take to be reached, in ms. */
const CONNECT_TIMEOUT_MS = 3000

/** How long a store may be silent, in ms: putting the parts of a large object together takes some seconds. */
const IDLE_TIMEOUT_MS = 30_000

/** How long a request may take until its answer begins, in ms: a part of 8 MiB at half a megabit a second. */
const RESPONSE_TIMEOUT_MS = 120_000

/** Longest wait for an answer that needs no more than a look, all tries together, in ms. */
export const REQUEST_TIMEOUT_MS = 15_000

/** The same where somebody watches over the server and asks again soon. */
export const HEALTH_CHECK_TIMEOUT_MS = 5000

/** Ends a request that was not answered by then. */
export const withTimeoutSignal = (ms: number = REQUEST_TIMEOUT_MS): { readonly abortSignal: AbortSignal } => ({
  abortSignal: AbortSignal.timeout(ms),
})

/** After how many seconds it is worth trying again. */
const RETRY_AFTER_SECONDS = 15

/** A store that speaks S3: requests to its bucket, and what becomes of their failures. */
export type Bucket = {
  readonly client: S3Client
  readonly name: string
  /** Every key of ours begins with it. */
  readonly prefix: string
  /** Waits for a request; one that failed for good is told to the operator in full and to everybody else as a Problem. */
  readonly ask: <Answer>(asking: Promise<Answer>) => Promise<Answer>
  /** The same, undefined where there is no such object. */
  readonly askIfThere: <Answer>(asking: Promise<Answer>) => Promise<Answer | undefined>
}

/** Hears of failures, for the log. */
export type Report = (error: unknown) => void

/** The bucket of these settings; nothing is asked of it yet. */
export function openBucket(place: S3Settings, report: Report): Bucket {
  const client = new S3Client({
    endpoint: place.endpoint.href,
    region: place.region,
    credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey.reveal() },
    // Only Amazon has a name for every bucket.
    forcePathStyle: !place.endpoint.hostname.endsWith('.amazonaws.com'),
    // The checksums the SDK adds by itself are refused by stores that are not Amazon's; ours are Content-MD5 and the signature.
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

/** What people are told while files can be neither stored nor read. */
export const storageUnavailable = (): Problem =>
  new Problem('storage-away', 'File storage is not responding. No data is lost. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** The S3 code of a failure, such as `NoSuchBucket`; answers to HEAD have no more than their status. */
export const codeOfS3 = (error: unknown): string => (error instanceof Error ? error.name : '')

/** The HTTP status of a failure, 0 where there was no answer. */
export function statusOfS3(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return 0
  const { $metadata } = error
  const isTold = typeof $metadata === 'object' && $metadata !== null && 'httpStatusCode' in $metadata
  return isTold && typeof $metadata.httpStatusCode === 'number' ? $metadata.httpStatusCode : 0
}

/** Whether the one thing that was asked for is not there; a bucket that is not there is another matter. */
const isMissing = (error: unknown): boolean => statusOfS3(error) === 404 && codeOfS3(error) !== 'NoSuchBucket'
