import { asCallFailed, type FailureCode } from './call-failed.ts'

/**
 * One short title per failure; the failure's own `detail` says the rest. Complete by type: a new problem without a
 * sentence does not compile.
 */
const TITLES: { readonly [Code in FailureCode]: string } = {
  'invalid-request': 'The server did not understand the request',
  'unknown-parameter': 'The request asked for something the server does not know',
  'time-zone-unknown': 'The server does not know this time zone',
  'invalid-filter': 'This filter cannot be used',
  'invalid-sort': 'This order cannot be used',
  'invalid-group': 'This grouping cannot be used',
  'invalid-search': 'This search cannot be used',
  'invalid-cursor': 'This place in the list is gone',
  'invalid-csv': 'This file cannot be read as CSV',
  'upload-target-missing': 'The upload does not say where the file belongs',
  'invalid-upload': 'The upload was not understood',
  'token-missing': 'Sign in to go on',
  'token-expired': 'Your session has expired',
  'token-invalid': 'Your session is not valid any more',
  'session-ended': 'Your session has ended',
  'refresh-invalid': 'Your session is not valid any more',
  'refresh-reused': 'Your session was ended for safety',
  'step-up-needed': 'Confirm that it is you',
  'login-refused': 'E-mail or password is wrong',
  forbidden: 'You may not do this',
  'origin-refused': 'The request came from another address',
  'setup-code-wrong': 'This set-up link is not valid',
  'view-as-read-only': 'You only look as somebody else',
  'view-as-ended': 'You see Dossier as yourself again',
  'not-found': 'There is nothing here',
  'record-not-found': 'This record does not exist',
  'collection-not-found': 'This collection does not exist',
  'method-not-allowed': 'The server does not do this here',
  'version-conflict': 'Somebody else changed this meanwhile',
  'setup-done': 'This workspace is already set up',
  'user-changed': 'Somebody else is signed in now',
  'name-taken': 'This name is taken',
  'change-running': 'A field is being changed',
  'import-not-ready': 'The import cannot be started',
  'in-use': 'This is still in use',
  'sample-not-empty': 'The sample needs an empty workspace',
  'upload-offset-wrong': 'The upload lost its place',
  gone: 'This is gone',
  'upload-version-unknown': 'The upload was not understood',
  'too-large': 'This is too large',
  'workspace-full': 'The workspace is full',
  'storage-full': 'The server is out of room',
  'checksum-mismatch': 'The file changed on its way',
  'upload-held-up': 'The server cannot say how far the file is',
  'wrong-content-type': 'The server did not understand the request',
  'range-not-satisfiable': 'This part of the file does not exist',
  'values-invalid': 'Some values cannot be saved',
  'rule-broken': 'A rule of this collection is broken',
  'transition-refused': 'The record was not moved',
  'use-transition': 'The state changes by moves alone',
  'field-frozen': 'This field is frozen where the record is',
  'example-broken': 'An example would not hold any more',
  'definition-invalid': 'This definition cannot be saved',
  'import-failed': 'The import failed',
  'file-type-refused': 'This type of file is not accepted here',
  'password-weak': 'Choose a stronger password',
  'too-many-requests': 'Too many tries',
  'internal-error': 'Something failed on the server',
  'not-ready': 'The server is starting',
  'storage-away': 'Files cannot be reached right now',
  unreachable: 'The server cannot be reached',
  'unreadable-answer': 'The server gave an unexpected answer',
  'session-expired': 'Your session has expired',
  'session-changed': 'The session changed meanwhile',
  'passkey-unused': 'No passkey was used',
  aborted: 'The request was given up',
}

/** The title of a failure. */
export const problemTitle = (code: FailureCode): string => TITLES[code]

/** What to tell people about anything that was thrown: a title, and a sentence that says what to do. */
export function failureText(error: unknown): {
  readonly title: string
  readonly detail: string
  readonly reference?: string
} {
  const failure = asCallFailed(error)
  if (!failure) return { title: 'Something failed on this page', detail: 'Reload the page and try again.' }
  const { code, detail, requestId } = failure
  const isFault = code === 'internal-error' && requestId !== undefined
  return { title: problemTitle(code), detail, ...(isFault && { reference: requestId }) }
}

/** The message about one part of what was sent, by its path; undefined when it was fine. */
export function partMessage(error: unknown, path: string): string | undefined {
  return asCallFailed(error)?.errors.find((part) => part.path === path)?.message
}
