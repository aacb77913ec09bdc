import { t } from '#web/i18n/t.ts'
import { toCallError, type FailureCode } from './call-error.ts'

/** A short title for each error code; the error's `detail` contains the explanation. */
const TITLES: { readonly [Code in FailureCode]: string } = {
  'invalid-request': t('Invalid request'),
  'unknown-parameter': t('Unknown request parameter'),
  'time-zone-unknown': t('Unknown time zone'),
  'invalid-filter': t('Invalid filter'),
  'invalid-sort': t('Invalid sort order'),
  'invalid-group': t('Invalid grouping'),
  'invalid-search': t('Invalid search'),
  'invalid-cursor': t('This position in the list is no longer valid'),
  'invalid-csv': t('Can’t read this file as CSV'),
  'upload-target-missing': t('The upload has no target field'),
  'invalid-upload': t('Invalid upload request'),
  'token-missing': t('Sign in to continue'),
  'token-expired': t('Your session has expired'),
  'token-invalid': t('Your session is no longer valid'),
  'session-ended': t('Your session has ended'),
  'refresh-invalid': t('Your session is no longer valid'),
  'refresh-reused': t('You were signed out because your session token was reused'),
  'step-up-needed': t('Confirm it’s you'),
  'second-factor-needed': t('Set up a second factor'),
  'login-refused': t('Wrong email or password'),
  forbidden: t('You don’t have permission to do this'),
  'origin-refused': t('The request came from another origin'),
  'setup-code-wrong': t('Invalid setup link'),
  'view-as-read-only': t('You can’t make changes while viewing as someone else'),
  'view-as-ended': t('You’re no longer viewing as someone else'),
  'not-found': t('Not found'),
  'record-not-found': t('Record not found'),
  'collection-not-found': t('Collection not found'),
  'method-not-allowed': t('Method not allowed'),
  'version-conflict': t('Someone else edited this in the meantime'),
  'setup-done': t('This workspace is already set up'),
  'user-changed': t('Someone else is signed in now'),
  'name-taken': t('This name is already taken'),
  'count-changed': t('The number of records has changed'),
  'change-running': t('A field change is in progress'),
  'import-not-ready': t('Couldn’t start the import'),
  'in-use': t('This is still in use'),
  'sample-not-empty': t('Sample data requires an empty workspace'),
  'upload-offset-wrong': t('Upload offset mismatch'),
  gone: t('This no longer exists'),
  'upload-version-unknown': t('Invalid upload request'),
  'too-large': t('This is too large'),
  'workspace-full': t('Storage limit reached'),
  'storage-full': t('The server is out of storage'),
  'checksum-mismatch': t('The file was corrupted during upload'),
  'upload-held-up': t('Couldn’t get the upload’s progress'),
  'wrong-content-type': t('Invalid request'),
  'range-not-satisfiable': t('Range not satisfiable'),
  'values-invalid': t('Some values can’t be saved'),
  'rule-broken': t('A validation rule failed'),
  'transition-refused': t('Couldn’t change the status'),
  'use-transition': t('Change the status with a workflow transition'),
  'field-frozen': t('This field is locked in the current status'),
  'example-broken': t('A policy example would fail'),
  'definition-invalid': t('Can’t save this definition'),
  'import-failed': t('The import failed'),
  'file-type-refused': t('This file type isn’t allowed here'),
  'password-weak': t('Choose a stronger password'),
  'too-many-requests': t('Too many attempts'),
  'too-many-at-once': t('Too many requests at once'),
  'internal-error': t('Server error'),
  overloaded: t('The server is busy'),
  'not-ready': t('The server is starting'),
  'storage-away': t('File storage is unavailable'),
  'database-damaged': t('The database is damaged'),
  unreachable: t('Can’t reach the server'),
  'unreadable-answer': t('Unexpected server response'),
  'session-expired': t('Your session has expired'),
  'session-changed': t('Your session changed in the meantime'),
  'passkey-unused': t('No passkey was used'),
  aborted: t('Request canceled'),
}

export const problemTitle = (code: FailureCode): string => TITLES[code]

export function describeError(error: unknown): {
  readonly title: string
  readonly detail: string
  readonly reference?: string
} {
  const failure = toCallError(error)
  if (!failure) return { title: t('Something went wrong on this page'), detail: t('Reload the page and try again.') }
  const { code, detail, requestId } = failure
  const isFault = code === 'internal-error' && requestId !== undefined
  return { title: problemTitle(code), detail, ...(isFault && { reference: requestId }) }
}

export function partMessage(error: unknown, path: string): string | undefined {
  return toCallError(error)?.errors.find((part) => part.path === path)?.message
}
