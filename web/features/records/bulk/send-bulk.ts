import type { QueryClient } from '@tanstack/react-query'
import { bulkChange, type ChangedBody } from '#api/bulk.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call } from '#web/client/call.ts'
import type { DeletionWay } from '#web/client/pending-deletions.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { serverWords } from '#web/language/of-the-server.ts'
import { forgetLists } from '../record-queries.ts'
import { noteBegun, ownJobsQuery, type Refusal, refusalsInWords } from './own-jobs.ts'
import type { BulkBody } from './picked.ts'

/**
 * Changes selected records. What is too much for one go is done by the server bit by bit: then nothing is answered, and
 * the jobs in the head of the page tell how far it is.
 */
export async function sendBulk(
  queryClient: QueryClient,
  collection: string,
  body: BulkBody,
  way: DeletionWay = {},
): Promise<ChangedBody | undefined> {
  const said = await call(bulkChange, { params: { collection }, body, ...way })
  if ('job' in said) {
    noteBegun()
    // It runs, also where nothing can be heard of it yet: told as a failure it would be sent once more.
    await queryClient.fetchQuery({ ...ownJobsQuery, staleTime: 0 }).then(
      () => undefined,
      () => void queryClient.invalidateQueries({ queryKey: ownJobsQuery.queryKey }),
    )
    return undefined
  }
  await refreshList(queryClient, collection)
  return said.refused ? { ...said, refused: refusalsInWords(said.refused, await serverWords()) } : said
}

/** Reads what is on the screen anew, and everything else when it is next shown. */
export async function refreshList(queryClient: QueryClient, collection: string): Promise<void> {
  forgetLists(queryClient, collection)
  await queryClient.refetchQueries({ queryKey: queryKeys.records(collection), type: 'active' })
}

/** The records a refusal names; none where it is about all that was asked. */
export function refusalsIn(error: unknown): readonly Refusal[] {
  const refused = asCallFailed(error)?.extra['refused']
  // The server's own form, beside the codes in the same answer.
  return Array.isArray(refused) ? (refused as readonly Refusal[]) : []
}
