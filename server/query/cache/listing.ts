import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import type { QueryScope } from '#server/query/run/run-records-query.ts'

/** A list that somebody asks for. */
export type Listing = {
  readonly scope: QueryScope
  readonly query: CheckedRecordsQuery
  /** The version of the definitions the query was checked against: what is known holds for no other. */
  readonly definitionsVersion: number
}
