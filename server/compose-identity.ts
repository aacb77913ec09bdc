import { factorRoutes } from './identity/factors/account-routes.ts'
import { relyingPartyAt } from './identity/factors/factor-deps.ts'
import { secondStepRoutes } from './identity/factors/sign-in-routes.ts'
import { auditRoutes } from './access/audit/routes.ts'
import type { Route } from './platform/http/route.ts'
import {
  type ProviderRegistry,
  createLinkedProviderFinder,
  createProviderRegistry,
} from './identity/providers/provider-registry.ts'
import { providerRoutes } from './identity/providers/routes.ts'
import { outboxRoutes } from './identity/users/outbox-routes.ts'
import type { RecordDeps } from './records/crud/record-deps.ts'
import { rolesRoutes } from '#server/schema/roles/routes.ts'
import { accountSessionRoutes, sessionPolicyRoutes } from './identity/sign-in/session-routes.ts'
import { type LoginAccount, forgiveAccount } from './identity/sign-in/login.ts'
import { refreshCookieFor } from './identity/session-tokens/refresh-cookie.ts'
import { type SessionRouteDeps, sessionRoutes } from './identity/sign-in/routes.ts'
import { createSetupCode, setupLink, setupRoutes } from './identity/setup/routes.ts'
import { tokenRoutes } from './identity/api-tokens/routes.ts'
import { isOwnerMissing } from './identity/setup/ensure-owner.ts'
import { createResetRequests } from '#server/identity/passwords/reset-password.ts'
import { userRoutes } from './identity/users/routes.ts'
import { impersonationRoutes } from '#server/identity/impersonation/begin-impersonation.ts'
import type { AppContext } from './app-context.ts'

type Identity = {
  readonly routes: readonly Route[]
  /** The setup link for creating the owner; undefined once an owner exists. */
  readonly setupLink: string | undefined
  readonly stop: () => Promise<void>
}

export async function composeIdentity(common: AppContext, records: RecordDeps): Promise<Identity> {
  const sessions = composeSessions(common)
  const providers = createProviderRegistry(common.config.oidcProviders, common.clock)
  const setup = await composeSetup(common, sessions)
  const people = composePeople(common, sessions, records)
  const routes = [
    ...sessionRoutes(sessions),
    ...setup.routes,
    ...composeFactors({ ...sessions, definitions: records.definitions }, common, providers),
    ...composeProviders(sessions, common, providers),
    ...people.routes,
  ]
  return { routes, setupLink: setup.link, stop: people.stop }
}

const composeSessions = (common: AppContext): SessionRouteDeps => ({
  ...common,
  publicUrl: common.config.publicUrl,
  session: common.config.session,
  cookie: refreshCookieFor(common.config.publicUrl, common.keys),
  tries: common.counters.signIn,
  refreshTries: common.counters.refresh,
})

async function composeSetup(
  common: AppContext,
  sessions: SessionRouteDeps,
): Promise<{ readonly routes: readonly Route[]; readonly link: string | undefined }> {
  const { config, counters, isLeaked } = common
  const opened = (await isOwnerMissing(common.database.read)) ? createSetupCode(common.keys) : undefined
  const routes = setupRoutes({
    ...sessions,
    gate: opened?.gate,
    tries: counters.setUp,
    isLeaked,
    offersSample: config.sample === 'ask',
  })
  return { routes, link: opened && setupLink(config.publicUrl, opened.code) }
}

function composePeople(
  common: AppContext,
  sessions: SessionRouteDeps,
  { definitions, announce }: RecordDeps,
): { readonly routes: readonly Route[]; readonly stop: () => Promise<void> } {
  const { counters, isLeaked } = common
  const resetDesk = createResetRequests({ ...sessions, definitions, log: common.log, resetTries: counters.reset })
  const users = {
    ...sessions,
    definitions,
    feed: common.feed,
    codeTries: counters.code,
    passwordTries: counters.password,
    isLeaked,
    forgiveAccount: (account: LoginAccount) => forgiveAccount(counters.signIn, account),
    resetDesk,
  }
  const routes = [
    ...accountSessionRoutes(sessions),
    ...sessionPolicyRoutes(sessions),
    ...userRoutes(users),
    ...rolesRoutes({ ...common, definitions, announce }),
    ...tokenRoutes(sessions),
    ...impersonationRoutes(common),
    ...outboxRoutes({ ...common, definitions }),
    ...auditRoutes({ ...common, definitions }),
  ]
  return { routes, stop: resetDesk.stop }
}

const composeProviders = (
  sessions: SessionRouteDeps,
  { counters, log }: AppContext,
  providers: ProviderRegistry,
): readonly Route[] =>
  providerRoutes({
    ...sessions,
    log,
    providers,
    beginTries: counters.provider,
  })

function composeFactors(
  sessions: SessionRouteDeps & Pick<RecordDeps, 'definitions'>,
  { counters }: AppContext,
  providers: ProviderRegistry,
): readonly Route[] {
  const deps = {
    ...sessions,
    relyingParty: relyingPartyAt(sessions.publicUrl),
    providersOf: createLinkedProviderFinder(providers),
    factorTries: counters.factor,
    passkeyTries: counters.passkey,
  }
  return [...secondStepRoutes(deps), ...factorRoutes(deps)]
}
