import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { MOST_AT_ONCE } from '#api/bulk.ts'
import type { Event } from '#domain/events/event.ts'
import type { Clock } from '#domain/shared/clock.ts'
import { type IdMaker, idMaker } from '#domain/shared/ids.ts'
import type { AssetNeeds } from './assets/asset-needs.ts'
import { openPictures } from './assets/pictures.ts'
import { assetRoutes } from './assets/routes.ts'
import { fileAddresses } from './assets/signed-address.ts'
import type { BulkNeeds } from './bulk/bulk-needs.ts'
import { jobKeeper } from './bulk/look-after-jobs.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { type ChangeFeed, changeFeed } from './changes/change-feed.ts'
import { neighbourKeeper } from './changes/neighbours.ts'
import { definitionsCache } from './collections/definitions-cache.ts'
import { leftBehindKeeper } from './collections/left-behind-keeper.ts'
import { collectionRoutes } from './collections/routes.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { factorRoutes } from './factors/account-routes.ts'
import { relyingPartyAt } from './factors/factor-needs.ts'
import { secondStepRoutes } from './factors/sign-in-routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { buildApp } from './http/app.ts'
import { healthRoutes } from './http/health-routes.ts'
import type { Route } from './http/route.ts'
import { type IndexKeeper, indexKeeper } from './indexes/index-keeper.ts'
import { indexRoutes } from './indexes/routes.ts'
import { importKeeper } from './imports/look-after-imports.ts'
import { openImports } from './imports/open-imports.ts'
import { importRoutes } from './imports/routes.ts'
import { type KeyRing, openKeyRing } from './keys/key-ring.ts'
import { linkedProvidersAmong } from './providers/linked-providers.ts'
import { openProviders, type Providers } from './providers/open-providers.ts'
import { providerRoutes } from './providers/routes.ts'
import { type Mailer, openMailer } from './mail/mailer.ts'
import { outboxRoutes } from './mail/routes.ts'
import { openMailWay } from './mail/send-mail.ts'
import type { RecordNeeds } from './records/record-needs.ts'
import { recordRoutes } from './records/routes.ts'
import { type InsteadOf, openRights, type RightsOf } from './roles/rights.ts'
import { rolesRoutes } from './roles/routes.ts'
import { type RulesCache, rulesCache } from './roles/rules-cache.ts'
import { sampleRoutes } from './sample/routes.ts'
import { sampleKeeper } from './sample/sample-keeper.ts'
import { searchRoutes } from './search/routes.ts'
import { searchKeeper } from './search/search-keeper.ts'
import { openShapes } from './shapes/open-shapes.ts'
import { accountSessionRoutes } from './sessions/account-routes.ts'
import { authenticator } from './sessions/authenticate.ts'
import { sessionPolicyRoutes } from './sessions/policy-routes.ts'
import { forgiveAccount, type LoginAccount } from './sessions/login.ts'
import { refreshCookieFor } from './sessions/refresh-cookie.ts'
import { type SessionRouteNeeds, sessionRoutes } from './sessions/routes.ts'
import { createConfiguredOwner } from './setup/configured-owner.ts'
import { setupRoutes } from './setup/routes.ts'
import { openSetupGate, setupLink } from './setup/setup-gate.ts'
import { openDiskCache } from './storage/disk-cache.ts'
import { openDiskStorage } from './storage/disk-storage.ts'
import { openStaging } from './storage/staging.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { tourRoutes } from './tours/routes.ts'
import { filePondRoutes } from './uploads/filepond-routes.ts'
import { openRunningHashes } from './uploads/running-hashes.ts'
import { openSweeper } from './uploads/sweeper.ts'
import { openTurns } from './uploads/turns.ts'
import { tusRoutes } from './uploads/tus-routes.ts'
import type { UploadNeeds } from './uploads/upload-needs.ts'
import { isOwnerMissing } from './users/ensure-owner.ts'
import { peopleRoutes } from './users/people-routes.ts'
import { type IsLeaked, openLeakCheck } from './users/leaked-passwords.ts'
import { openResetDesk } from './users/reset-desk.ts'
import { userRoutes } from './users/routes.ts'
import { viewAsRoutes } from './view-as/routes.ts'
import { workflowRoutes } from './workflows/routes.ts'
import { startAndStop } from './start-and-stop.ts'
import { openTryCounters, type TryCounters } from './try-counters.ts'
import { VERSION } from './version.ts'

/** What the parts are made from. */
export type Ground = {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  /** What some people are granted, whatever their roles say. */
  readonly grantsInstead?: InsteadOf
  /** Most records whose field gets another kind in one write; as many as are changed at once, if nothing else is said. */
  readonly convertedAtOnce?: number
}

/** What nearly every part is handed besides. */
type Common = Ground & {
  readonly newId: IdMaker
  readonly keys: KeyRing
  readonly mailer: Mailer
  readonly counters: TryCounters
  readonly feed: ChangeFeed
  readonly isLeaked: IsLeaked
  readonly rules: RulesCache
  readonly rightsOf: RightsOf
}

/** The whole server, ready to listen. */
export type Dossier = {
  readonly app: FastifyInstance
  readonly routes: readonly Route[]
  /** Where the owner is made, while there is none; the code in it works until the server stops. */
  readonly setupLink: string | undefined
  /** Begins what runs beside requests. */
  readonly start: () => Promise<void>
  /** Ends requests, then what runs beside them; the database is closed by whoever opened it. */
  readonly stop: () => Promise<void>
}

/** THE ONLY PLACE WHERE PARTS ARE MADE and handed to each other. */
export async function compose(ground: Ground): Promise<Dossier> {
  const { config, clock } = ground
  const newId = idMaker(
    () => clock().getTime(),
    (count) => randomBytes(count),
  )
  const keys = openKeyRing(config.dataFolder, { clock })
  const counters = openTryCounters(ground.database, clock)
  const isLeaked = openLeakCheck({ ...ground, url: config.passwordRangeUrl })
  const mailer = composeMailer(ground, newId)
  const rules = rulesCache(ground.database)
  const rightsOf = openRights(rules, ground.grantsInstead)
  const common: Common = { ...ground, newId, keys, mailer, counters, isLeaked, rules, rightsOf, feed: changeFeed() }

  if (config.owner !== undefined) await createConfiguredOwner(common, config.owner)
  const sessions = composeSessions(common)
  const providers = openProviders(config.oidcProviders, clock)
  const setup = await composeSetup(common, sessions)
  const records = composeRecords(common)
  const people = composePeople(common, sessions, records)
  const files = composeFiles(common, records)
  const sweeper = openSweeper(files)
  const imports = openImports(records, { dataFolder: config.dataFolder, log: common.log, rightsOf })
  const keeper = importKeeper(imports)
  const bulk = composeBulk(common, imports)
  const jobs = jobKeeper(bulk)
  const search = searchKeeper({ ...records, log: common.log })
  const forSample = { ...files, ...imports }
  const sample = sampleKeeper(forSample, config.sample === 'yes')
  const routes = [
    ...composeHealth(common),
    ...sessionRoutes(sessions),
    ...setup.routes,
    ...composeFactors(sessions, common, providers),
    ...composeProviders(sessions, common, providers),
    ...people.routes,
    ...tourRoutes(common),
    ...collectionRoutes(bulk),
    ...indexRoutes(records),
    ...recordRoutes(records),
    ...bulkRoutes(bulk),
    ...workflowRoutes(records),
    ...searchRoutes(records),
    ...peopleRoutes(common),
    ...tusRoutes(files),
    ...filePondRoutes(files),
    ...assetRoutes(files),
    ...importRoutes(imports),
    ...sampleRoutes(forSample, sample),
  ]

  const app = await buildApp({
    routes,
    authenticate: authenticator(common),
    log: common.log,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    webFolder: config.webFolder,
  })
  const { shapes, indexes } = records
  const beside = { mailer: common.mailer, people, sweeper, search, indexes, keeper, jobs, sample, shapes }
  const running = startAndStop(app, { ...beside, ...composeFollowers(records, common) })
  return { app, routes, setupLink: setup.link, ...running }
}

// ── Health ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const composeHealth = ({ database }: Common): readonly Route[] =>
  healthRoutes({
    version: VERSION,
    checkReady: async () => {
      await database.read.selectFrom('workspace').select('name').limit(1).execute()
    },
  })

// ── Sessions and set-up ──────────────────────────────────────────────────────────────────────────────────────────────

const composeSessions = (common: Common): SessionRouteNeeds => ({
  ...common,
  publicUrl: common.config.publicUrl,
  cookie: refreshCookieFor(common.config.publicUrl, common.keys),
  tries: common.counters.signIn,
  refreshTries: common.counters.refresh,
})

async function composeSetup(
  common: Common,
  sessions: SessionRouteNeeds,
): Promise<{ readonly routes: readonly Route[]; readonly link: string | undefined }> {
  const { config, counters, isLeaked } = common
  const opened = (await isOwnerMissing(common.database.read)) ? openSetupGate() : undefined
  const routes = setupRoutes({
    ...sessions,
    gate: opened?.gate,
    tries: counters.setUp,
    isLeaked,
    offersSample: config.sample === 'ask',
  })
  return { routes, link: opened && setupLink(config.publicUrl, opened.code) }
}

// ── People, letters, tokens, the audit log ───────────────────────────────────────────────────────────────────────────

const composeMailer = (ground: Ground, newId: IdMaker): Mailer =>
  openMailer({ ...ground, newId, way: ground.config.mail && openMailWay(ground.config.mail) })

function composePeople(
  common: Common,
  sessions: SessionRouteNeeds,
  { definitions }: RecordNeeds,
): { readonly routes: readonly Route[]; readonly stop: () => Promise<void> } {
  const { counters, isLeaked } = common
  const resetDesk = openResetDesk({ ...sessions, definitions, log: common.log, resetTries: counters.reset })
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
    ...rolesRoutes({ ...common, definitions }),
    ...tokenRoutes(common),
    ...viewAsRoutes(common),
    ...outboxRoutes(common),
    ...auditRoutes({ ...common, definitions }),
  ]
  return { routes, stop: resetDesk.stop }
}

// ── Identity providers ───────────────────────────────────────────────────────────────────────────────────────────────

const composeProviders = (
  sessions: SessionRouteNeeds,
  { counters, log }: Common,
  providers: Providers,
): readonly Route[] =>
  providerRoutes({
    ...sessions,
    log,
    providers,
    beginTries: counters.provider,
  })

// ── Second factors ───────────────────────────────────────────────────────────────────────────────────────────────────

function composeFactors(sessions: SessionRouteNeeds, { counters }: Common, providers: Providers): readonly Route[] {
  const needs = {
    ...sessions,
    relyingParty: relyingPartyAt(sessions.publicUrl),
    providersOf: linkedProvidersAmong(providers),
    factorTries: counters.factor,
    passkeyTries: counters.passkey,
  }
  return [...secondStepRoutes(needs), ...factorRoutes(needs)]
}

// ── Collections and records ──────────────────────────────────────────────────────────────────────────────────────────

function composeRecords({ database, clock, newId, keys, log, feed }: Common): RecordNeeds & { indexes: IndexKeeper } {
  const definitions = definitionsCache(database, () => performance.now())
  const announce = (event: Event): void => {
    if (event.type === 'definitions-changed') definitions.drop()
  }
  const report = (error: unknown): void => log.warn({ err: error }, 'a list could not be looked through')
  const shapes = openShapes({ feed, nowMs: () => performance.now(), report })
  const base = { database, definitions, clock, newId }
  const indexes = indexKeeper({ ...base, log })
  const { note: noteAsked, isIndexed } = indexes
  return { ...base, announce, feed, shapes, noteAsked, isIndexed, indexes, fileAddress: fileAddresses(keys, clock) }
}

/** Many records at once. */
const composeBulk = ({ convertedAtOnce }: Common, imports: ReturnType<typeof openImports>): BulkNeeds => ({
  ...imports,
  convertedAtOnce: convertedAtOnce ?? MOST_AT_ONCE,
  jobs: new Map(),
})

/** What follows the changes of this server and of others. */
const composeFollowers = (records: RecordNeeds, { log }: Common) => ({
  neighbours: neighbourKeeper(records),
  leftBehind: leftBehindKeeper({ ...records, log }),
})

// ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function composeFiles(common: Common, { definitions }: RecordNeeds): Common & UploadNeeds & AssetNeeds {
  const { dataFolder } = common.config
  const blobs = openDiskStorage(join(dataFolder, 'blobs'))
  return {
    ...common,
    definitions,
    blobs,
    staging: openStaging(join(dataFolder, 'uploads')),
    pictures: openPictures(blobs, openDiskCache(join(dataFolder, 'pictures'))),
    hashes: openRunningHashes(),
    uploadTurns: openTurns(),
    blobTurns: openTurns(),
  }
}
