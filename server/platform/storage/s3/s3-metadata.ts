import { createHash } from 'node:crypto'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { parseMetadata, printMetadata, type StorageMetadata } from '#server/platform/storage/storage-metadata.ts'
import { type Bucket, statusOfS3, withTimeoutSignal } from './s3-client.ts'

/** What stores answer when the object was there already (412), was being written (409), or they know no conditions. */
const ALREADY_THERE: ReadonlySet<number> = new Set([409, 412])
const NO_CONDITIONS: ReadonlySet<number> = new Set([400, 501])

/** A note in a bucket: the object of that key. */
export function openS3Metadata(bucket: Bucket, key: string): StorageMetadata {
  const place = { Bucket: bucket.name, Key: key }
  const read = async (): Promise<string | undefined> => {
    const asked = bucket.client.send(new GetObjectCommand(place), withTimeoutSignal())
    return parseMetadata(await bucket.askIfThere(asked.then(({ Body }) => Body?.transformToString())))
  }
  const put = async (text: string, condition: { readonly IfNoneMatch?: '*' }): Promise<void> => {
    const body = Buffer.from(printMetadata(text))
    const md5 = createHash('md5').update(body).digest('base64')
    const object = { ...place, Body: body, ContentLength: body.length, ContentMD5: md5, ...condition }
    await bucket.client.send(new PutObjectCommand(object), withTimeoutSignal())
  }
  const putUnlessThere = async (text: string): Promise<void> => {
    try {
      await put(text, { IfNoneMatch: '*' })
    } catch (error) {
      if (ALREADY_THERE.has(statusOfS3(error))) return
      if (!NO_CONDITIONS.has(statusOfS3(error))) throw error
      await put(text, {})
    }
  }
  return {
    read,
    claim: async (text) => {
      const found = await read()
      if (found !== undefined) return found
      await bucket.ask(putUnlessThere(text))
      // A blank object is written over.
      if ((await read()) === undefined) await bucket.ask(put(text, {}))
      return read()
    },
    replace: (text) => bucket.ask(put(text, {})),
  }
}
