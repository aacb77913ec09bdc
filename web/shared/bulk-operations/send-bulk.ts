import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { bulkChange, type ChangedBody } from '#api/bulk.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import { rememberStarted, userJobsQuery, type SkippedRecords, translateSkipReasons } from './user-jobs.ts'
import type { BulkBody } from './selected-records.ts'

/**
 * Changes selected records, and reads what is on the screen again. Undefined where the server does it as a job, which the
 * jobs in the header show.
 */
export async function sendBulk(
  queryClient: QueryClient,
  collection: string,
  body: BulkBody,
): Promise<ChangedBody | undefined> {
  const said = await postBulk(queryClient, collection, body)
  if (said) await refreshList(queryClient, collection)
  return said
}

/** The same without reading anything again. */
export async function postBulk(
  queryClient: QueryClient,
  collection: string,
  body: BulkBody,
  manner: { readonly keepalive?: true } = {},
): Promise<ChangedBody | undefined> {
  const said = await call(bulkChange, { params: { collection }, body, ...manner })
  if ('job' in said) {
    await followJob(queryClient)
    return undefined
  }
  return said.refused ? { ...said, refused: translateSkipReasons(said.refused, await serverTranslator()) } : said
}

/** Shows a job that was just begun. */
export async function followJob(queryClient: QueryClient): Promise<void> {
  rememberStarted()
  // It runs, also where nothing can be heard of it yet: told as a failure it would be sent once more.
  await queryClient.fetchQuery({ ...userJobsQuery, staleTime: 0 }).then(
    () => undefined,
    () => void queryClient.invalidateQueries({ queryKey: userJobsQuery.queryKey }),
  )
}

/** Reads what is on the screen anew, but for records that are deleted, and everything else when it is next shown. */
export async function refreshList(
  queryClient: QueryClient,
  collection: string,
  deleted: readonly string[] = [],
): Promise<void> {
  invalidateLists(queryClient, collection)
  const gone = new Set(deleted.map((id) => queryKeys.record(collection, id).join(' ')))
  const predicate = ({ queryKey }: { readonly queryKey: QueryKey }) => !gone.has(queryKey.join(' '))
  await queryClient.refetchQueries({ queryKey: queryKeys.records(collection), type: 'active', predicate })
}

/** The records a refusal names; none where it is about all that was asked. */
export function skippedIn(error: unknown): readonly SkippedRecords[] {
  const refused = toCallError(error)?.extra['refused']
  // The server's own form, beside the codes in the same answer.
  return Array.isArray(refused) ? (refused as readonly SkippedRecords[]) : []
}
