import * as api from '#api/users.ts'
import type { Database } from '#server/database/database.ts'
import { can } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { listAuditEntries } from './store.ts'

const PAGE_SIZE = 50

/** The door of the audit log. It is only read: nothing can change or remove an entry. */
export const auditRoutes = ({ database }: { readonly database: Database }): readonly Route[] => [
  route(api.listAudit, can('audit:read'), async ({ query }) => {
    // One more than is shown tells whether there are older ones.
    const entries = await listAuditEntries(database.read, { before: query.before, limit: PAGE_SIZE + 1 })
    const items = entries.slice(0, PAGE_SIZE).map((entry) => ({ ...entry, details: { ...entry.details } }))
    return { items, next: entries.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null }
  }),
]
