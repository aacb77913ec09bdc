import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { Problem } from '#domain/shared/problem.ts'

/** How browsers write a quotation mark in the name of a file that goes by form (HTML standard, multipart/form-data). */
const QUOTE_CODE = /%22/g

/** A file inside a form, its bytes on their way. */
export type FormFile = { readonly name: string; readonly type: string; readonly body: Readable }

/** Bounds of a form: a file and what is said of it. More is a mistake, or meant to harm. */
const LIMITS = { fields: 10, fieldSize: 16_000, files: 2, parts: 12, headerPairs: 50, headerSize: 8000 }

const FORM_TYPE = /^multipart\/form-data\s*;\s*(?:.*;\s*)?boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})\s*(?:;|$)/i

/** Whether the body of a request is a form with parts. */
export const isForm = ({ headers }: FastifyRequest): boolean => FORM_TYPE.test(headers['content-type'] ?? '')

const broken = (): Problem => new Problem('invalid-upload', 'The form is incomplete or invalid. Nothing was saved.')

/**
 * Reads a form as it comes. `onFile` is handed its file, with the texts that stood before it, and must read it to its
 * end; without a file the texts alone are answered.
 */
export function readForm<Answer>(
  request: FastifyRequest,
  body: Readable,
  onFile: (file: FormFile, texts: readonly string[]) => Promise<Answer>,
): Promise<{ readonly texts: readonly string[]; readonly answer: Answer | undefined }> {
  const contentType = request.headers['content-type'] ?? ''
  const parser = new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits: LIMITS })
  const texts: string[] = []
  let current: Readable | undefined
  let taking: Promise<Answer> | undefined

  return new Promise((resolve, reject) => {
    const giveUp = (error: Error): void => {
      body.unpipe(parser)
      current?.destroy(error)
      reject(error)
    }
    parser.on('field', (_name, value) => texts.push(value))
    parser.on('file', (...[, file, name, , type]) => {
      // A part that breaks off says so here too; whoever reads the file has heard it already.
      file.on('error', () => undefined)
      if (taking !== undefined) {
        file.resume()
        giveUp(new Problem('invalid-upload', 'Send one file per request.'))
        return
      }
      current = file
      taking = onFile({ name: name.replace(QUOTE_CODE, '"'), type, body: file }, texts)
      taking.then(() => undefined, giveUp)
    })
    parser.on('error', () => giveUp(broken()))
    parser.on('finish', () => {
      Promise.resolve(taking).then((answer) => resolve({ texts, answer }), reject)
    })
    body.on('error', () => giveUp(broken()))
    body.on('aborted', () => giveUp(broken()))
    body.pipe(parser)
  })
}
