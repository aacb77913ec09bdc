import { t } from '#web/i18n/t.ts'
import { toCallError, type FailureCode } from './call-error.ts'

/**
 * One short title per failure; the failure's own `detail` says the rest. Complete by type: a new problem without a
 * sentence does not compile.
 */
const TITLES: { readonly [Code in FailureCode]: string } = {
  'invalid-request': t('The server did not understand the request'),
  'unknown-parameter': t('The request asked for something the server does not know'),
  'time-zone-unknown': t('The server does not know this time zone'),
  'invalid-filter': t('This filter cannot be used'),
  'invalid-sort': t('This order cannot be used'),
  'invalid-group': t('This grouping cannot be used'),
  'invalid-search': t('This search cannot be used'),
  'invalid-cursor': t('This place in the list is gone'),
  'invalid-csv': t('This file cannot be read as CSV'),
  'upload-target-missing': t('The upload does not say where the file belongs'),
  'invalid-upload': t('The upload was not understood'),
  'token-missing': t('Sign in to go on'),
  'token-expired': t('Your session has expired'),
  'token-invalid': t('Your session is not valid any more'),
  'session-ended': t('Your session has ended'),
  'refresh-invalid': t('Your session is not valid any more'),
  'refresh-reused': t('Your session was ended for safety'),
  'step-up-needed': t('Confirm that it is you'),
  'second-factor-needed': t('Set up a second factor'),
  'login-refused': t('E-mail or password is wrong'),
  forbidden: t('You may not do this'),
  'origin-refused': t('The request came from another address'),
  'setup-code-wrong': t('This set-up link is not valid'),
  'view-as-read-only': t('You only look as somebody else'),
  'view-as-ended': t('You see Dossier as yourself again'),
  'not-found': t('There is nothing here'),
  'record-not-found': t('This record does not exist'),
  'collection-not-found': t('This collection does not exist'),
  'method-not-allowed': t('The server does not do this here'),
  'version-conflict': t('Somebody else changed this meanwhile'),
  'setup-done': t('This workspace is already set up'),
  'user-changed': t('Somebody else is signed in now'),
  'name-taken': t('This name is taken'),
  'count-changed': t('The number of records has changed'),
  'change-running': t('A field is being changed'),
  'import-not-ready': t('The import cannot be started'),
  'in-use': t('This is still in use'),
  'sample-not-empty': t('The sample needs an empty workspace'),
  'upload-offset-wrong': t('The upload lost its place'),
  gone: t('This is gone'),
  'upload-version-unknown': t('The upload was not understood'),
  'too-large': t('This is too large'),
  'workspace-full': t('The workspace is full'),
  'storage-full': t('The server is out of room'),
  'checksum-mismatch': t('The file changed on its way'),
  'upload-held-up': t('The server cannot say how far the file is'),
  'wrong-content-type': t('The server did not understand the request'),
  'range-not-satisfiable': t('This part of the file does not exist'),
  'values-invalid': t('Some values cannot be saved'),
  'rule-broken': t('A rule of this collection is broken'),
  'transition-refused': t('The record was not moved'),
  'use-transition': t('The state changes by moves alone'),
  'field-frozen': t('This field is frozen where the record is'),
  'example-broken': t('An example would not hold any more'),
  'definition-invalid': t('This definition cannot be saved'),
  'import-failed': t('The import failed'),
  'file-type-refused': t('This type of file is not accepted here'),
  'password-weak': t('Choose a stronger password'),
  'too-many-requests': t('Too many tries'),
  'too-many-at-once': t('Too much at once'),
  'internal-error': t('Something failed on the server'),
  overloaded: t('The server has too much to do'),
  'not-ready': t('The server is starting'),
  'storage-away': t('Files cannot be reached right now'),
  'database-damaged': t('The database is damaged'),
  unreachable: t('The server cannot be reached'),
  'unreadable-answer': t('The server gave an unexpected answer'),
  'session-expired': t('Your session has expired'),
  'session-changed': t('The session changed meanwhile'),
  'passkey-unused': t('No passkey was used'),
  aborted: t('The request was given up'),
}

/** The title of a failure. */
export const problemTitle = (code: FailureCode): string => TITLES[code]

/** What to tell people about anything that was thrown: a title, and a sentence that says what to do. */
export function describeError(error: unknown): {
  readonly title: string
  readonly detail: string
  readonly reference?: string
} {
  const failure = toCallError(error)
  if (!failure) return { title: t('Something failed on this page'), detail: t('Reload the page and try again.') }
  const { code, detail, requestId } = failure
  const isFault = code === 'internal-error' && requestId !== undefined
  return { title: problemTitle(code), detail, ...(isFault && { reference: requestId }) }
}

/** The message about one part of what was sent, by its path; undefined when it was fine. */
export function partMessage(error: unknown, path: string): string | undefined {
  return toCallError(error)?.errors.find((part) => part.path === path)?.message
}
