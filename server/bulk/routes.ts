import * as api from '#api/bulk.ts'
import { signedIn } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { changeListed } from './change-listed.ts'
import { changeWhere } from './change-where.ts'
import { cancelJob, listJobs, listOwnJobs, readJob } from './show-job.ts'

/** The HTTP door of many records at once, and of the jobs that come of them. */
export const bulkRoutes = (needs: BulkNeeds): readonly Route[] => [
  // Which permission it takes depends on the body; the stories ask for each.
  route(api.bulkChange, signedIn, async ({ actor, params, body, reply }) => {
    if (!('where' in body)) return changeListed(needs, actor, params.collection, body)
    const said = await changeWhere(needs, actor, params.collection, body)
    if ('job' in said) void reply.code(202)
    return said
  }),
  route(api.listJobs, signedIn, async ({ actor, query }) => ({
    items: await (query.collection === undefined
      ? listOwnJobs(needs, actor)
      : listJobs(needs, actor, query.collection)),
  })),
  route(api.readJob, signedIn, async ({ actor, params }) => readJob(needs, actor, params.job)),
  route(api.cancelJob, signedIn, async ({ actor, params }) => cancelJob(needs, actor, params.job)),
]
