import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Filter } from '#domain/query/filter.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { idsInside } from '#server/access/record-access/authorized-query.ts'

/** Where and when conditions are tried. */
export type CoverageContext = {
  readonly reader: Reader
  readonly dialect: Database['dialect']
  readonly definitions: Definitions
  readonly now: Date
}

/** A record, and whoever reads the conditions: `@me` is theirs. */
export type CoveredRecord = { readonly collection: Collection; readonly record: RecordId; readonly actor: Actor }

const NO_FIELDS: ReadonlySet<string> = new Set()

/** Which of these conditions describe a record; undefined when there is no such record. */
export async function conditionsCovering(
  { reader, dialect, definitions, now }: CoverageContext,
  { collection, record, actor }: CoveredRecord,
  conditions: readonly Filter[],
): Promise<((where: Filter) => boolean) | undefined> {
  const scope = { reader, dialect, pendingImports: definitions.pendingImports }
  const covers = async (where?: Filter): Promise<boolean> => {
    const decision = { allowed: true, hiddenFields: NO_FIELDS, ...(where && { where }) } as const
    const inside = await idsInside(scope, { definitions, actor, now }, { collection, decision }, [record])
    return inside.has(record)
  }
  if (!(await covers())) return undefined
  const covering: Filter[] = []
  for (const where of conditions) if (await covers(where)) covering.push(where)
  return (where) => covering.some((one) => sameJson(one, where))
}
