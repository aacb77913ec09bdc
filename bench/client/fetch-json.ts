import { openRawConnection, type RawRequest, rawRequest } from './raw-client.ts'

export type JsonAnswer = { readonly [part: string]: unknown }

/** Sends one request; throws at anything but success. */
export async function fetchJson(port: number, request: RawRequest): Promise<JsonAnswer> {
  const connection = await openRawConnection(port)
  try {
    const { status, body } = await connection.ask(Buffer.from(rawRequest(request)))
    if (status >= 300) throw new Error(`${request.method} ${request.path} was answered ${status}: ${body()}`)
    // Every response of the API is an object.
    return JSON.parse(body()) as JsonAnswer
  } finally {
    connection.close()
  }
}
