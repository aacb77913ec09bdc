import { start } from './0001-start.ts'
import { accounts } from './0002-accounts.ts'
import { importChanges } from './0006-import-changes.ts'
import { recordNumbers } from './0007-record-numbers.ts'
import { namesAndNumbers } from './0010-names-and-numbers.ts'
import { jobs } from './0011-jobs.ts'
import { roles } from './0013-roles.ts'
import { auditAndUsers } from './0016-audit-and-users.ts'
import { views } from './0017-views.ts'
import { storageUsage } from './0019-storage-usage.ts'
import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * Which full-text indexes there are on SQLite, and which stretch of records each still has to take in. Collections from
 * before have none; the server makes them when it starts. Names of files are looked for field by field.
 */
const search: Migration = {
  number: 9,
  name: 'search',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `create table search_parts (
        id ${text} primary key not null,
        collection_id ${text} not null references collections (id) on delete cascade,
        fields ${text} not null,
        gap_from ${text},
        gap_to ${text},
        retired_at ${text}
      )`,
      'create index search_parts_collection on search_parts (collection_id)',
      'create index assets_field on assets (field_id)',
    ]),
}

/** What somebody keeps at hand: a collection, or a view or a record of one. */
const favourites: Migration = {
  number: 23,
  name: 'favourites',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table favourites (
        id ${text} primary key not null,
        user_id ${text} not null,
        collection_id ${text} not null,
        view_id ${text},
        record_id ${text},
        position ${integer} not null
      )`,
      'create index favourites_of_user on favourites (user_id, position)',
    ]),
}

/** The indexes that the server made by itself; each bears the name `x_` and its id. */
const indexes: Migration = {
  number: 8,
  name: 'indexes',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `create table indexes (
        id ${text} primary key not null,
        collection_id ${text} not null references collections (id) on delete cascade,
        spec ${text} not null,
        state ${text} not null check (state in ('building', 'ready')),
        made_at ${text} not null,
        used_at ${text} not null,
        unique (collection_id, spec)
      )`,
    ]),
}

/** Changes of a field's kind that are under way, one a collection; and how many values a job had to leave behind. */
const kindChanges: Migration = {
  number: 12,
  name: 'kind-changes',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table kind_changes (
        collection_id ${text} primary key not null,
        job_id ${text} not null unique,
        field_id ${text} not null,
        shadow_id ${text} not null,
        spec ${text} not null
      )`,
      `alter table jobs add column lost ${integer}`,
    ]),
}

/** Tries that failed, so that no restart forgives them. Whose they are stands there as a hash alone. */
const failedTries: Migration = {
  number: 5,
  name: 'failed-tries',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table failed_tries (
        key_hash ${text} primary key not null,
        about_hash ${text} not null,
        count ${integer} not null,
        last_at ${text} not null
      )`,
      'create index failed_tries_about on failed_tries (about_hash)',
      'create index failed_tries_last on failed_tries (last_at)',
    ]),
}

/** A row for every blob, so that several servers agree on which of them may go. */
const blobs: Migration = {
  number: 20,
  name: 'blobs',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `create table blobs (
        hash ${text} primary key not null,
        bytes ${integer} not null,
        used_at ${text} not null,
        going_at ${text}
      )`,
      'insert into blobs (hash, bytes, used_at) select hash, max(bytes), max(created_at) from assets group by hash',
    ]),
}

/**
 * What stood in a session's row was enough to make its refresh tokens. Now it is only a salt beside the key ring; a session
 * that began before cannot be told from one that a copy of the database knows, so every open one ends.
 */
const refreshSalt: Migration = {
  number: 27,
  name: 'refresh-salt',
  apply: (transaction) =>
    runStatements(transaction, [
      'alter table sessions rename column refresh_key to refresh_salt',
      `update sessions set refresh_salt = '', ended_at = coalesce(ended_at, used_at), end_reason = coalesce(end_reason, 'upgraded')`,
    ]),
}

/**
 * Whether a session outlives its browser. Its idle end is no longer stored: it follows from when the session was last
 * used and from what the workspace says now.
 */
const sessionLifetimes: Migration = {
  number: 4,
  name: 'session-lifetimes',
  apply: (transaction, { integer }) =>
    runStatements(transaction, [
      `alter table sessions add column is_remembered ${integer} not null default 1`,
      'alter table sessions drop column idle_ends_at',
    ]),
}

/** Since when no file refers to a blob, and on which day of sweeps that was. */
const quarantine: Migration = {
  number: 28,
  name: 'quarantine',
  apply: (transaction, { text, integer }) =>
    runStatements(transaction, [
      `alter table blobs add column quarantined_at ${text}`,
      `alter table blobs add column quarantine_day ${integer}`,
      'create index blobs_in_quarantine on blobs (hash) where quarantined_at is not null',
    ]),
}

/** What undoing a deletion needs: which log entries belong together, and what a deleted record carried besides values. */
const changeSets: Migration = {
  number: 26,
  name: 'change-sets',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `alter table changes add column change_set_id ${text}`,
      `alter table changes add column record_meta ${text}`,
      'create index changes_change_set on changes (change_set_id, id) where change_set_id is not null',
    ]),
}

/** By what collections are found at a glance: their sign, their colour, and the group they stand in. */
const collectionLooks: Migration = {
  number: 22,
  name: 'collection-looks',
  apply: (transaction, { text }) =>
    runStatements(
      transaction,
      ['icon', 'color', 'group_name'].map((column) => `alter table collections add column ${column} ${text}`),
    ),
}

/** The way the records of a collection take, and what was noted at a move. */
const workflows: Migration = {
  number: 15,
  name: 'workflows',
  apply: (transaction, { text }) =>
    runStatements(transaction, [
      `alter table collections add column workflow ${text}`,
      `alter table changes add column note ${text}`,
    ]),
}

/**
 * Whether a password is only long enough beside a second factor: then the last factor stays until it is replaced. The
 * length itself is not kept. Every password from before was judged as the only factor.
 */
const shortPasswords: Migration = {
  number: 3,
  name: 'short-passwords',
  apply: (transaction, { integer }) =>
    runStatements(transaction, [`alter table users add column password_is_short ${integer} not null default 0`]),
}

/** Until when a letter is left to the process that is sending it; null as long as nobody is. */
const mailTurns: Migration = {
  number: 25,
  name: 'mail-turns',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table mails add column taken_until ${text}`]),
}

/** The language somebody chose; null as long as they chose none. */
const languages: Migration = {
  number: 24,
  name: 'languages',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table users add column language ${text}`]),
}

/** Of which record a file was last taken out, so that whoever may write there can put it back. */
const takenOutFiles: Migration = {
  number: 21,
  name: 'taken-out-files',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table assets add column taken_out_of ${text}`]),
}

/** Records a job left as they are, and why. */
const jobRefusals: Migration = {
  number: 18,
  name: 'job-refusals',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table jobs add column refused ${text}`]),
}

/** What must hold in every record of a collection. */
const rules: Migration = {
  number: 14,
  name: 'rules',
  apply: (transaction, { text }) => runStatements(transaction, [`alter table collections add column rules ${text}`]),
}

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
