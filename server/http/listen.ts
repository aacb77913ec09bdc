import type { FastifyInstance } from 'fastify'
import { fail, ok, type Result } from '#domain/shared/result.ts'

export type ListenAddress = { readonly host: string; readonly port: number }

function describeListenError(code: string, { host, port }: ListenAddress): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Stop it, or choose another port, for example: PORT=${port + 1} npm start`
    case 'EACCES':
      return `Port ${port} requires administrator privileges. Choose a port above 1023, for example: PORT=4100 npm start`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${host}, which isn't an address of this machine. Use 127.0.0.1 for local access only, or 0.0.0.0 for all interfaces.`
    default:
      return `The server can't listen on ${host}, port ${port} (${code}).`
  }
}

/** Starts listening; on failure, returns a message with the reason and the fix. */
export async function listen(app: FastifyInstance, place: ListenAddress): Promise<Result<string, string>> {
  await app.ready()
  const started = app.listen({ ...place, listenTextResolver: (address) => `listening on ${address}` }).then(
    (url) => ok(url),
    (error: NodeJS.ErrnoException) => fail(describeListenError(error.code ?? error.message, place)),
  )
  return started
}

/** Time that open requests have to finish after a shutdown signal. */
const GRACE_MS = 10_000

/** Stops accepting connections, lets open requests finish, and closes the remaining ones after the grace period. */
export async function stopListening(app: FastifyInstance, graceMs = GRACE_MS): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cutOff)
}
