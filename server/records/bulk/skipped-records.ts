import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem, type SkippedByReason } from '#domain/shared/problem.ts'

export type SkippedRecords = { readonly message: string; readonly count: number; readonly records: readonly RecordId[] }

export const skippedBody = ({ message, count, records }: SkippedRecords) => ({ message, count, records: [...records] })

/** Maximum number of records listed per reason; as many as fit in the URL of a list. */
const MAX_NAMED = 300
const MAX_REASONS = 20

const OTHER_REASONS = 'Skipped for other reasons.'

export function mergeSkipped(
  reported: readonly SkippedRecords[],
  more: readonly SkippedByReason[],
): readonly SkippedRecords[] {
  const byReason = new Map(reported.map((refusal) => [refusal.message, refusal]))
  for (const { message, records } of more) {
    const reason = byReason.has(message) || byReason.size < MAX_REASONS ? message : OTHER_REASONS
    const { count, records: named } = byReason.get(reason) ?? { count: 0, records: [] }
    const first = [...named, ...records].slice(0, MAX_NAMED)
    byReason.set(reason, { message: reason, count: count + records.length, records: first })
  }
  return [...byReason.values()]
}

/** Checks records one by one; throws the first problem with all rejected records and their reasons. */
export async function validateEach<Item extends Pick<CollectionRecord, 'id'>>(
  records: readonly Item[],
  checker: (record: Item) => void | Promise<void>,
): Promise<void> {
  const faults: { readonly record: RecordId; readonly problem: Problem }[] = []
  for (const record of records) {
    await Promise.resolve(record)
      .then(checker)
      .then(undefined, (problem: unknown) => {
        if (!(problem instanceof Problem)) throw problem
        faults.push({ record: record.id, problem })
      })
  }
  const [first] = faults
  if (!first) return
  const byReason = Map.groupBy(faults, ({ problem }) => reasonOf(problem))
  const refused = [...byReason].map(([message, all]) => ({ message, records: all.map(({ record }) => record) }))
  const { code, message, details } = first.problem
  throw new Problem(code, message, { ...details, refused })
}

/** Runs a change, and retries it without the records that were rejected. */
export async function skippingInvalid<Answer>(
  ids: readonly RecordId[],
  work: (left: readonly RecordId[], refused: readonly SkippedByReason[]) => Promise<Answer>,
): Promise<Answer> {
  let left = ids
  let refused: readonly SkippedByReason[] = []
  for (;;) {
    const round = await work(left, refused).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ more: skippedAmong(error, left), error }),
    )
    if ('answer' in round) return round.answer
    if (round.more.length === 0) throw round.error
    refused = [...refused, ...round.more]
    const out = new Set(round.more.flatMap(({ records }) => records))
    left = left.filter((id) => !out.has(id))
  }
}

/** The records that caused a problem, by reason; empty if the problem isn't about individual records. */
export function skippedAmong(error: unknown, ids: readonly RecordId[]): readonly SkippedByReason[] {
  if (!(error instanceof Problem)) return []
  const meant = new Set(ids)
  return (error.details.refused ?? []).flatMap(({ message, records }) => {
    const own = records.filter((id) => meant.has(id))
    return own.length === 0 ? [] : [{ message, records: own }]
  })
}

export function reasonOf(problem: Problem): string {
  const [first] = problem.details.errors ?? []
  return first?.message ?? problem.message.replace(/^Nothing was (?:saved|moved)[.:] */, '')
}
