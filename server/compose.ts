import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { MOST_AT_ONCE } from '#api/bulk.ts'
import type { Event } from '#domain/events/event.ts'
import { type IdMaker, idMaker } from '#domain/shared/ids.ts'
import type { AssetNeeds } from './assets/asset-needs.ts'
import { openPictures } from './assets/pictures.ts'
import { assetRoutes } from './assets/routes.ts'
import { fileAddresses } from './assets/signed-address.ts'
import { zipRoutes } from './assets/zip-routes.ts'
import type { BulkNeeds } from './bulk/bulk-needs.ts'
import { jobKeeper } from './bulk/look-after-jobs.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { changeFeed } from './changes/change-feed.ts'
import { neighbourKeeper } from './changes/neighbours.ts'
import { checkReady } from './check-ready.ts'
import { type DefinitionsCache, definitionsCache } from './collections/definitions-cache.ts'
import { leftBehindKeeper } from './collections/left-behind-keeper.ts'
import { collectionRoutes } from './collections/routes.ts'
import { type AppNeeds, buildApp } from './http/app.ts'
import { healthRoutes } from './http/health-routes.ts'
import type { Route } from './http/route.ts'
import { type IndexKeeper, indexKeeper } from './indexes/index-keeper.ts'
import { indexRoutes } from './indexes/routes.ts'
import { importKeeper } from './imports/look-after-imports.ts'
import { openImports } from './imports/open-imports.ts'
import { importRoutes } from './imports/routes.ts'
import { type KeyRing, openKeyRing } from './keys/key-ring.ts'
import { noteKeys } from './keys/refuse-other-keys.ts'
import { type Mailer, openMailer } from './mail/mailer.ts'
import { openMailWay } from './mail/send-mail.ts'
import { type Meters, openMeters } from './metrics/open-meters.ts'
import { openApiRoutes } from './openapi/routes.ts'
import type { RecordNeeds } from './records/record-needs.ts'
import { recordRoutes } from './records/routes.ts'
import { openRights } from './roles/rights.ts'
import { rulesCache } from './roles/rules-cache.ts'
import { sampleRoutes } from './sample/routes.ts'
import { sampleKeeper } from './sample/sample-keeper.ts'
import { searchRoutes } from './search/routes.ts'
import { searchKeeper } from './search/search-keeper.ts'
import { openShapes } from './shapes/open-shapes.ts'
import { authenticator } from './sessions/authenticate.ts'
import { cookieActor } from './sessions/cookie-actor.ts'
import { refreshCookieFor } from './sessions/refresh-cookie.ts'
import { createConfiguredOwner } from './setup/configured-owner.ts'
import { openDiskCache } from './storage/disk-cache.ts'
import { openStorage, stagingFolderOf } from './storage/open-storage.ts'
import { openStaging } from './storage/staging.ts'
import { templateRoutes } from './templates/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { tourRoutes } from './tours/routes.ts'
import { claimStorage } from './uploads/claim-storage.ts'
import { filePondRoutes } from './uploads/filepond-routes.ts'
import { remoteDoor } from './uploads/remote-door.ts'
import { openRunningHashes } from './uploads/running-hashes.ts'
import { openSweeper } from './uploads/sweeper.ts'
import { openTurns } from './uploads/turns.ts'
import { tusRoutes } from './uploads/tus-routes.ts'
import { storageRoutes } from './uploads/usage-routes.ts'
import type { UploadNeeds } from './uploads/upload-needs.ts'
import { peopleRoutes } from './users/people-routes.ts'
import { openLeakCheck } from './users/leaked-passwords.ts'
import { viewRoutes } from './views/routes.ts'
import { workflowRoutes } from './workflows/routes.ts'
import { startAndStop } from './start-and-stop.ts'
import { openTryCounters } from './try-counters.ts'
import { VERSION } from './version.ts'
import { composeAccounts } from './compose-accounts.ts'
import type { Common, Ground } from './ground.ts'

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

/** THE ONLY PLACE WHERE PARTS ARE MADE and handed to each other; those of accounts stand beside it. */
export async function compose(bare: Ground): Promise<Dossier> {
  const { config, clock } = bare
  const meters = openMeters(bare)
  const ground: Ground = { ...bare, database: meters.database }
  const newId = idMaker(() => clock().getTime(), bare.randomBytes ?? randomBytes)
  const places = await openPlaces(ground, meters)
  const keys = openKeyRing(config.dataFolder, { clock, onReplaced: () => rememberKeys(ground) })
  const counters = openTryCounters(ground.database, clock)
  const isLeaked = openLeakCheck({ ...ground, url: config.passwordRangeUrl })
  const mailer = composeMailer(ground, newId, keys)
  const rules = rulesCache(ground.database)
  const definitions = definitionsCache(ground.database, () => performance.now())
  const rightsOf = openRights(rules, { instead: ground.grantsInstead, noticeDefinitions: definitions.notice })
  const common: Common = { ...ground, newId, keys, mailer, counters, isLeaked, rules, rightsOf, feed: changeFeed() }

  if (config.owner !== undefined) await createConfiguredOwner(common, config.owner)
  const records = composeRecords(common, definitions)
  const accounts = await composeAccounts(common, records)
  const files = composeFiles(common, records, places)
  const sweeper = openSweeper(files)
  const imports = openImports(records, { ...config, log: common.log, rightsOf })
  const keeper = importKeeper(imports)
  const bulk = composeBulk(common, imports)
  const jobs = jobKeeper(bulk)
  const search = searchKeeper({ ...records, log: common.log })
  const forSample = { ...files, ...imports }
  const sample = sampleKeeper(forSample, config.sample === 'yes')
  const routes: readonly Route[] = [
    ...composeHealth(files),
    ...meters.routes,
    ...accounts.routes,
    ...tourRoutes(common),
    ...composeDefinitions(bulk),
    ...indexRoutes(records),
    ...recordRoutes(records),
    ...viewRoutes(records),
    ...homeRoutes(records),
    ...bulkRoutes(bulk),
    ...workflowRoutes(records),
    ...searchRoutes(records),
    ...peopleRoutes(common),
    ...tusRoutes(files),
    ...storageRoutes(common),
    ...filePondRoutes(files),
    ...assetRoutes(files),
    ...zipRoutes({ ...records, ...files }),
    ...importRoutes(imports),
    ...sampleRoutes(forSample, sample),
    ...openApiRoutes({ definitions: records.definitions, publicUrl: config.publicUrl, routes: () => routes }),
  ]

  const app = await composeApp(common, records, { routes, watch: meters.watch })
  const beside = { meters, mailer: common.mailer, accounts, sweeper, search, keeper, jobs, sample }
  const running = startAndStop(app, { ...records, ...beside, ...composeFollowers(records, common) })
  return { app, routes, setupLink: accounts.setupLink, ...running }
}

/** Remembers new keys in the database; what fails is made up for by the next start. */
function rememberKeys({ config, database, log }: Ground): void {
  database
    .write((transaction) => noteKeys(config, transaction))
    .then(
      (fault) => fault !== undefined && log.error(fault),
      (error: unknown) => log.warn({ err: error }, 'the ids of the keys were not written to the database'),
    )
}

/** The HTTP shell around the routes. */
const composeApp = (common: Common, { definitions }: RecordNeeds, shell: Pick<AppNeeds, 'routes' | 'watch'>) =>
  buildApp({
    ...shell,
    authenticate: authenticator(common),
    forgetDefinitions: definitions.drop,
    log: common.log,
    publicUrl: common.config.publicUrl,
    trustedProxies: common.config.trustedProxies,
    webFolder: common.config.webFolder,
    session: common.config.session,
  })

// ── Letters and health ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const composeMailer = (ground: Ground, newId: IdMaker, keys: KeyRing): Mailer =>
  openMailer({ ...ground, newId, keys, way: ground.config.mail && openMailWay(ground.config.mail) })

const composeHealth = ({ database, blobs }: Common & AssetNeeds): readonly Route[] =>
  healthRoutes({
    version: VERSION,
    checkReady: () => checkReady(database, blobs),
  })

// ── Collections and records ──────────────────────────────────────────────────────────────────────────────────────────

function composeRecords(
  { database, clock, newId, keys, log, feed }: Common,
  definitions: DefinitionsCache,
): RecordNeeds & { indexes: IndexKeeper } {
  const announce = (event: Event): void => {
    if (event.type === 'definitions-changed') definitions.drop()
  }
  const report = (error: unknown): void => log.warn({ err: error }, 'a list could not be looked through')
  const shapes = openShapes({ feed, nowMs: () => performance.now(), report, catchUp: database.catchUp })
  const base = { database, definitions, clock, newId }
  const indexes = indexKeeper({ ...base, log })
  const { note: noteAsked, isIndexed } = indexes
  return { ...base, announce, feed, shapes, noteAsked, isIndexed, indexes, fileAddress: fileAddresses(keys, clock) }
}

/** Many records at once. */
const composeBulk = (
  { convertedAtOnce = MOST_AT_ONCE, changedAtOnce = MOST_AT_ONCE }: Common,
  imports: ReturnType<typeof openImports>,
): BulkNeeds => ({
  ...imports,
  convertedAtOnce,
  changedAtOnce,
  jobs: new Map(),
})

/** Collections, made one by one or several of a template. */
const composeDefinitions = (bulk: BulkNeeds): readonly Route[] => [...collectionRoutes(bulk), ...templateRoutes(bulk)]

/** What follows the changes of this server and of others. */
const composeFollowers = (records: RecordNeeds, { log }: Common) => ({
  neighbours: neighbourKeeper(records),
  leftBehind: leftBehindKeeper({ ...records, log }),
})

// ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where files are: they belong to this workspace, or nothing is done. */
async function openPlaces(ground: Ground, meters: Meters): Promise<Pick<UploadNeeds, 'blobs' | 'staging'>> {
  const report = (error: unknown): void => ground.log.warn({ err: error }, 'the storage of files reports an error')
  const blobs = meters.measured(await openStorage(ground.config, report))
  const places = { blobs, staging: openStaging(stagingFolderOf(ground.config)) }
  await claimStorage({ ...ground, ...places })
  return places
}

function composeFiles(
  common: Common,
  { definitions }: RecordNeeds,
  places: Pick<UploadNeeds, 'blobs' | 'staging'>,
): Common & UploadNeeds & AssetNeeds {
  return {
    ...common,
    ...places,
    definitions,
    remote: common.remote ?? remoteDoor,
    pictures: openPictures(places.blobs, openDiskCache(join(common.config.dataFolder, 'pictures'))),
    hashes: openRunningHashes(),
    uploadTurns: openTurns(),
    blobTurns: openTurns(),
    cookieActor: cookieActor({
      ...common,
      publicUrl: common.config.publicUrl,
      cookie: refreshCookieFor(common.config.publicUrl, common.keys),
    }),
  }
}
