import { openRawConnection, type RawRequest, rawRequest } from './raw-client.ts'

/** The parts of an answer, not yet looked at. */
export type JsonAnswer = { readonly [part: string]: unknown }

/** Asks once and gives the parts of the answer; anything but success is thrown with its words. */
export async function fetchJson(port: number, request: RawRequest): Promise<JsonAnswer> {
  const connection = await openRawConnection(port)
  try {
    const { status, body } = await connection.ask(Buffer.from(rawRequest(request)))
    if (status >= 300) throw new Error(`${request.method} ${request.path} was answered ${status}: ${body()}`)
    // Every answer of our API is an object.
    return JSON.parse(body()) as JsonAnswer
  } finally {
    connection.close()
  }
}
