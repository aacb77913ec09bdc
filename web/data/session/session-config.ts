import { SESSION } from '#domain/specification.ts'

/** The four routes of the session. Their names may be others than these; the types know the usual ones. */
export type SessionRoutes = typeof SESSION.routes

/** What of the session handling can be set. */
export type SessionConfig = { readonly routes: SessionRoutes; readonly scopeField: string }

/** Reads what the server wrote into the page; nothing, where another server gave it, means the usual ones. */
export function readSessionConfig(text: string): SessionConfig {
  if (text === '') return SESSION
  // Written by the server, which refused to start with settings that make no sense.
  return JSON.parse(text) as SessionConfig
}

const settingsInPage = (): string =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="session-settings"]')?.content ?? '')

/** THE ONLY PLACE where the browser knows its session routes and the field of the user that holds the scopes. */
export const sessionConfig: SessionConfig = readSessionConfig(settingsInPage())
