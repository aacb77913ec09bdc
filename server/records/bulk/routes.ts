import * as api from '#api/bulk.ts'
import { can, signedIn } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { BulkDeps } from './bulk-deps.ts'
import { changeListed } from './change-listed.ts'
import { changeMatching, countMatching } from './change-matching.ts'
import { parseDocuments } from '#server/records/rich-text/parse-documents.ts'
import { undoDeletion } from '#server/records/jobs/undo-deletion.ts'
import { cancelJob, listJobs, listOwnJobs, readJob } from '#server/records/jobs/show-job.ts'

/** The HTTP door of many records at once, and of the jobs that come of them. */
export const bulkRoutes = (needs: BulkDeps): readonly Route[] => [
  // Which permission it takes depends on the body; the stories ask for each.
  route(api.bulkChange, signedIn, async ({ actor, params, body, reply }) => {
    if (!('where' in body))
      return changeListed(needs, actor, params.collection, await withDocuments(needs, params.collection, body))
    const said = await changeMatching(
      needs,
      actor,
      params.collection,
      await withDocument(needs, params.collection, body),
    )
    if ('job' in said) void reply.code(202)
    return said
  }),
  route(api.countBulk, can('records:read'), async ({ actor, params, body }) => ({
    count: await countMatching(needs, actor, params.collection, body),
  })),
  route(api.undoDeletion, can('records:delete'), async ({ actor, params, reply }) => {
    const said = await undoDeletion(needs, actor, params.changeSet)
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

/** Records that are listed, rich text in them read from whichever form it came in. */
async function withDocuments(needs: BulkDeps, collection: string, body: api.BulkByList): Promise<api.BulkByList> {
  const items = [...(body.create ?? []), ...(body.update ?? [])]
  const read = await parseDocuments(
    needs,
    collection,
    items.map(({ values }) => values),
  )
  const valuesOf = new Map(items.map((item, at) => [item, { ...read[at] }]))
  const withRead = <Item extends (typeof items)[number]>(item: Item): Item => ({
    ...item,
    values: valuesOf.get(item) ?? {},
  })
  return {
    ...body,
    ...(body.create && { create: body.create.map(withRead) }),
    ...(body.update && { update: body.update.map(withRead) }),
  }
}

/** The same for records that a query finds. */
async function withDocument(needs: BulkDeps, collection: string, body: api.BulkByWhere): Promise<api.BulkByWhere> {
  if (!body.update) return body
  const [values = {}] = await parseDocuments(needs, collection, [body.update.values])
  return { ...body, update: { ...body.update, values: { ...values } } }
}
