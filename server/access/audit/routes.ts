import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import * as api from '#api/audit.ts'
import { userIdOf } from '#domain/access/actor.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { writeAudit } from './audit-log.ts'
import { exportAudit } from './export-audit.ts'
import { type AuditReadDeps, readAudit } from './read-audit.ts'

/** What the doors of the audit log need. */
export type AuditRouteDeps = AuditReadDeps & { readonly clock: Clock; readonly newId: IdGenerator }

/** The doors of the audit log. It is only read: nothing can change or remove an entry. */
export const auditRoutes = (needs: AuditRouteDeps): readonly Route[] => [
  route(api.listAudit, can('audit:read'), async ({ actor, query }) => {
    const { items, ...page } = await readAudit(needs, actor, query)
    return {
      ...page,
      items: items.map((item) => ({ ...item, details: { ...item.details }, changes: [...item.changes] })),
    }
  }),
  route(api.exportAudit, can('audit:read'), async ({ actor, query, request, reply }) => {
    await needs.database.write(({ db }) =>
      writeAudit(db, needs, { kind: 'audit-exported', userId: userIdOf(actor), address: request.ip }),
    )
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', contentDisposition('audit-log.csv'))
      .header('cache-control', 'no-store')
      .send(Readable.from(exportAudit(needs, actor, query)))
  }),
]
