import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const uploadParams = z.object({ upload: z.string() })
const target = z.strictObject({
  collection: z.string().optional(),
  field: z.string().optional(),
  record: z.string().optional(),
})

/** tus 1.0 and FilePond are two dialects over one upload session; see docs/how-to for both. */
export const tusOptions = endpoint({
  method: 'OPTIONS',
  path: '/api/tus',
  summary: 'What the tus server can do.',
  answer: 'raw',
})
export const tusCreate = endpoint({
  method: 'POST',
  path: '/api/tus',
  summary: 'Begin an upload (tus creation, creation-with-upload).',
  query: target,
  body: 'stream',
  answer: 'raw',
  problems: ['upload-target-missing', 'invalid-upload', 'too-large', 'file-type-refused'],
})
export const tusHead = endpoint({
  method: 'HEAD',
  path: '/api/tus/:upload',
  summary: 'How many bytes have arrived.',
  params: uploadParams,
  answer: 'raw',
})
export const tusPatch = endpoint({
  method: 'PATCH',
  path: '/api/tus/:upload',
  summary: 'Send the next bytes.',
  params: uploadParams,
  body: 'stream',
  answer: 'raw',
  problems: ['upload-offset-wrong', 'too-large', 'gone', 'file-type-refused'],
})
export const tusDelete = endpoint({
  method: 'DELETE',
  path: '/api/tus/:upload',
  summary: 'Give the upload up.',
  params: uploadParams,
  answer: 'empty',
})
