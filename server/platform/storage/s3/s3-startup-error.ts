import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { S3Settings } from '#server/config.ts'
import { codeOfS3, openBucket, statusOfS3 } from './s3-client.ts'

/** Why files cannot be kept there, in one sentence for whoever starts the server; undefined when they can. */
export async function describeS3StartError(place: S3Settings): Promise<string | undefined> {
  const { client, name, prefix } = openBucket(place, () => undefined)
  const asked = client.send(new ListObjectsV2Command({ Bucket: name, Prefix: prefix, MaxKeys: 1 }))
  return asked
    .then(
      () => undefined,
      (error: unknown) => describeS3Error(error, place),
    )
    .finally(() => client.destroy())
}

function describeS3Error(error: unknown, { endpoint, bucket, region, accessKeyId }: S3Settings): string {
  switch (codeOfS3(error)) {
    case 'NoSuchBucket':
      return `S3_BUCKET: the store at ${endpoint.host} has no bucket named ${bucket}. Create it, or correct the name.`
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY_ID: the store at ${endpoint.host} does not know the key ${accessKeyId}. Correct it.`
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY does not belong to the key ${accessKeyId} of the store at ${endpoint.host}. Correct it.`
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return `S3_REGION: the bucket ${bucket} is not in the region ${region}. Name the region it is in.`
    case 'AccessDenied':
    case '403':
      return `S3_ACCESS_KEY_ID: the key ${accessKeyId} may not list the bucket ${bucket}. Grant it listing, reading, writing and deleting there.`
    default:
      return statusOfS3(error) === 0
        ? `S3_ENDPOINT: no store answers at ${endpoint.host}. Start it, or correct the address.`
        : `S3_ENDPOINT: the store at ${endpoint.host} cannot be used. It says: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
  }
}
