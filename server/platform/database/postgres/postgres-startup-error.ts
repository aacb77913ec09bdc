import { postgresCodeOf } from './postgres-errors.ts'

/** Why PostgreSQL could not be opened, in one sentence for whoever starts the server. Never tells the password. */
export function describePostgresStartError(error: unknown, address: string): string {
  const { hostname, port, pathname, username } = new URL(address)
  const place = `${hostname || 'localhost'}:${port || '5432'}`
  const name = decodeURIComponent(pathname.slice(1))
  switch (postgresCodeOf(error)) {
    case 'ECONNREFUSED':
      return `DATABASE_URL: no PostgreSQL answers at ${place}. Start it, or correct the address.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `DATABASE_URL: there is no machine named ${hostname}. Correct the address.`
    case '28P01':
    case '28000':
      return `DATABASE_URL: PostgreSQL at ${place} refuses the user ${decodeURIComponent(username)} or the password. Correct them.`
    case '3D000':
      return `DATABASE_URL: PostgreSQL at ${place} has no database named ${name}. Create it, for instance with: createdb ${name}`
    case '57P03':
      return `DATABASE_URL: PostgreSQL at ${place} is still starting. Try again in a moment.`
    case '53300':
      return `DATABASE_URL: PostgreSQL at ${place} takes no more connections. Raise its max_connections, or close others.`
    case '42501':
      return `DATABASE_URL: the user ${decodeURIComponent(username)} may not use the database ${name}. Grant it the right to.`
    default:
      return `DATABASE_URL: PostgreSQL at ${place} cannot be used. It says: ${error instanceof Error ? error.message : String(error)}`
  }
}
