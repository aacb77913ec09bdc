import { createReadStream } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fetchJson, type JsonAnswer } from '../client/requests.ts'

export type CsvImport = {
  readonly port: number
  readonly token: string
  readonly collection: string
  readonly file: string
}

const LOOK_EVERY_MS = 50
const GIVE_UP_AFTER_MS = 20 * 60 * 1000

/** Imports a file, waits until its records can be read, and returns the time in seconds. */
export async function importCsv(given: CsvImport): Promise<number> {
  const { port, token, collection } = given
  const startedAt = performance.now()
  const { id } = await send(given)
  for (;;) {
    const path = `/api/collections/${collection}/imports/${String(id)}`
    const { state, failure, errors } = await fetchJson(port, { method: 'GET', path, token })
    const tookMs = performance.now() - startedAt
    if (state === 'done') return tookMs / 1000
    if (state !== 'running' || tookMs > GIVE_UP_AFTER_MS) {
      throw new Error(`The import into ${collection} is ${String(state)}: ${String(failure)} ${JSON.stringify(errors)}`)
    }
    await pause(LOOK_EVERY_MS)
  }
}

function send({ port, token, collection, file }: CsvImport): Promise<JsonAnswer> {
  const path = `/api/collections/${collection}/imports?encoding=utf-8&separator=,`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
  return new Promise((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () => {
        if (answer.statusCode !== 202) return reject(new Error(`The CSV was answered ${answer.statusCode}: ${text}`))
        // Every API response is a JSON object.
        resolve(JSON.parse(text) as JsonAnswer)
      })
    })
    sending.on('error', reject)
    createReadStream(file).on('error', reject).pipe(sending)
  })
}
