import { start } from './0001-start.ts'
import { accounts } from './0002-accounts.ts'
import { shortPasswords } from './0003-short-passwords.ts'
import { sessionLifetimes } from './0004-session-lifetimes.ts'
import { failedTries } from './0005-failed-tries.ts'
import { importChanges } from './0006-import-changes.ts'
import { recordNumbers } from './0007-record-numbers.ts'
import { indexes } from './0008-indexes.ts'
import { search } from './0009-search.ts'
import { namesAndNumbers } from './0010-names-and-numbers.ts'
import { jobs } from './0011-jobs.ts'
import { kindChanges } from './0012-kind-changes.ts'
import { roles } from './0013-roles.ts'
import { rules } from './0014-rules.ts'
import { workflows } from './0015-workflows.ts'
import { auditAndUsers } from './0016-audit-and-users.ts'
import { views } from './0017-views.ts'
import { jobRefusals } from './0018-job-refusals.ts'
import { storageUsage } from './0019-storage-usage.ts'
import { blobs } from './0020-blobs.ts'
import { takenOutFiles } from './0021-taken-out-files.ts'
import { collectionLooks } from './0022-collection-looks.ts'
import { favourites } from './0023-favourites.ts'
import { languages } from './0024-languages.ts'
import { mailTurns } from './0025-mail-turns.ts'
import { changeSets } from './0026-change-sets.ts'
import { refreshSalt } from './0027-refresh-salt.ts'
import { quarantine } from './0028-quarantine.ts'
import type { Migration } from './migration.ts'

/** Every migration there is, in order. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  start,
  accounts,
  shortPasswords,
  sessionLifetimes,
  failedTries,
  importChanges,
  recordNumbers,
  indexes,
  search,
  namesAndNumbers,
  jobs,
  kindChanges,
  roles,
  rules,
  workflows,
  auditAndUsers,
  views,
  jobRefusals,
  storageUsage,
  blobs,
  takenOutFiles,
  collectionLooks,
  favourites,
  languages,
  mailTurns,
  changeSets,
  refreshSalt,
  quarantine,
]
