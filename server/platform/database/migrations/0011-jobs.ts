import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** What goes on in batches beside the requests, and how far it is. */
export const jobs: Migration = {
  number: 11,
  name: 'jobs',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table jobs (
        id ${text} primary key not null,
        user_id ${text},
        collection_id ${text} not null,
        state ${text} not null,
        task ${text} not null,
        total ${integer},
        done ${integer} not null,
        last_record ${text},
        runner ${text},
        alive_at ${text} not null,
        failure ${text},
        created_at ${text} not null,
        ended_at ${text}
      )`,
      'create index jobs_state on jobs (state)',
    ]),
}
