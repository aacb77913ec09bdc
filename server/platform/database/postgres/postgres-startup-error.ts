import { postgresCodeOf } from './postgres-errors.ts'

/** Why PostgreSQL could not be opened, in one sentence for whoever starts the server. Never tells the password. */
export function describePostgresStartError(error: unknown, address: string): string {
  const { hostname, port, pathname, username } = new URL(address)
  const place = `${hostname || 'localhost'}:${port || '5432'}`
  const name = decodeURIComponent(pathname.slice(1))
  switch (postgresCodeOf(error)) {
    case 'ECONNREFUSED':
      return `DATABASE_URL: can't connect to PostgreSQL at ${place}. Start it, or correct the URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `DATABASE_URL: unknown host ${hostname}. Correct the URL.`
    case '28P01':
    case '28000':
      return `DATABASE_URL: authentication failed for user ${decodeURIComponent(username)} at ${place}. Check user and password.`
    case '3D000':
      return `DATABASE_URL: database ${name} doesn't exist at ${place}. Create it, for example with: createdb ${name}`
    case '57P03':
      return `DATABASE_URL: PostgreSQL at ${place} is starting up. Try again in a moment.`
    case '53300':
      return `DATABASE_URL: too many connections to PostgreSQL at ${place}. Raise max_connections, or close others.`
    case '42501':
      return `DATABASE_URL: user ${decodeURIComponent(username)} has no access to database ${name}. Grant it the required privileges.`
    default:
      return `DATABASE_URL: PostgreSQL at ${place} can't be used: ${error instanceof Error ? error.message : String(error)}`
  }
}
