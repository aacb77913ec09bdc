import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { S3Settings } from '#server/platform/config/config.ts'
import { codeOfS3, openBucket, statusOfS3 } from './s3-client.ts'

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
