import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { MAX_AT_ONCE } from '#api/bulk.ts'
import type { Event } from '#domain/shared/event.ts'
import { type IdGenerator, createIdGenerator } from '#domain/shared/ids.ts'
import type { AssetDeps } from './files/assets/find-file.ts'
import { openThumbnails } from './files/images/thumbnails.ts'
import { assetRoutes } from './files/assets/routes.ts'
import { createFileUrlSigner } from './files/assets/signed-urls.ts'
import { createCursorSeal } from './records/crud/sealed-cursors.ts'
import { brandingRoutes } from './files/branding/routes.ts'
import { openPictureProcess } from './files/images/picture-process.ts'
import { zipRoutes } from './files/archives/routes.ts'
import type { BulkDeps } from './records/bulk/bulk-deps.ts'
import { fieldConversion } from './schema/kind-changes/convert-batch.ts'
import { undoDefinitions } from './schema/undo/undo-definitions.ts'
import { createJobRunner } from './records/jobs/job-runner.ts'
import { activityRoutes } from './records/activity/routes.ts'
import { bulkRoutes } from './records/bulk/routes.ts'
import { createChangeFeed } from './platform/events/change-feed.ts'
import { createClusterSync } from './platform/events/cluster-notifications.ts'
import { assertReady, healthRoutes } from './http/health-routes.ts'
import { type DefinitionsCache, definitionsCache } from './query/definitions/definitions-cache.ts'
import { createColumnCleanup } from './schema/dropped-columns/dropped-column-cleanup.ts'
import { collectionRoutes } from './schema/collections/routes.ts'
import { type AppDeps, buildApp } from './http/app.ts'
import type { Route } from './platform/http/route.ts'
import { type IndexManager, createIndexManager } from './query/indexes/index-manager.ts'
import { indexRoutes } from './query/indexes/list-indexes.ts'
import { createImportCleanup } from './transfer/imports/import-cleanup.ts'
import { createImports } from './transfer/imports/import-deps.ts'
import { importRoutes } from './transfer/routes.ts'
import { type KeyRing, openKeyRing } from './platform/crypto/key-ring.ts'
import { recordKeyIds } from './operations/keys/verify-keys.ts'
import { type Mailer, openMailer } from './platform/mail/mailer.ts'
import { openSmtpTransport } from './platform/mail/smtp-transport.ts'
import { type Meters, openMeters } from './operations/metrics/open-meters.ts'
import { openApiRoutes } from './http/openapi/routes.ts'
import { createRecalculationWorker, type RecalculationWorker } from './records/rollups/recalculation-worker.ts'
import { recalculationRoutes } from './records/rollups/routes.ts'
import type { RecordDeps } from './records/crud/record-deps.ts'
import { recordRoutes } from './records/crud/routes.ts'
import { historyRoutes } from './records/history/routes.ts'
import { createTrashCleanup, trashRoutes } from './records/trash/routes.ts'
import { createRightsResolver } from './access/rights/rights.ts'
import { createAccessRulesCache } from './access/rights/access-rules-cache.ts'
import { createSampleLoader, sampleRoutes } from './transfer/sample/sample-loader.ts'
import { searchRoutes } from './records/search/search-everything.ts'
import { purgeExpiredDefinitions } from './schema/deleted-definitions/purge-definition.ts'
import { deletedDefinitionRoutes } from './schema/deleted-definitions/routes.ts'
import { createSearchIndexer } from './query/search/index/search-indexer.ts'
import { createListCache } from './query/cache/list-cache.ts'
import { authenticator } from './identity/sign-in/authenticate.ts'
import { cookieActor } from './identity/sign-in/cookie-actor.ts'
import { refreshCookieFor } from './identity/session-tokens/refresh-cookie.ts'
import { createConfiguredOwner } from './identity/setup/ensure-owner.ts'
import { openDiskCache } from './platform/storage/disk/disk-cache.ts'
import { openStorage, stagingFolderOf } from './platform/storage/open-storage.ts'
import { openStaging } from './platform/storage/staging/staging.ts'
import { templateRoutes } from './schema/templates/routes.ts'
import { homeRoutes } from './records/home/routes.ts'
import { tourRoutes } from './identity/tours/routes.ts'
import { claimStorage } from './files/ownership/claim-storage.ts'
import { filePondRoutes } from './files/protocols/filepond-routes.ts'
import { remoteClient } from './files/remote/remote-client.ts'
import { type UploadDeps, createRunningHashes } from './files/uploads/upload-deps.ts'
import { createSweeper } from './files/blobs/sweep-expired.ts'
import { createKeyedMutex } from '#server/platform/concurrency/locks.ts'
import { tusRoutes } from './files/protocols/tus-routes.ts'
import { storageRoutes } from './files/quota/routes.ts'
import { peopleRoutes } from './access/people/routes.ts'
import { createLeakCheck } from './identity/passwords/leaked-passwords.ts'
import { dashboardRoutes } from './records/dashboards/save-dashboard.ts'
import { viewRoutes } from './records/views/manual-order.ts'
import { workflowRoutes } from './records/workflow/routes.ts'
import { createLifecycle } from './lifecycle.ts'
import { composeIdentity } from './compose-identity.ts'
import { VERSION } from '#server/platform/config/project-root.ts'
import { type AppContext, type BaseContext, openAttemptCounters } from './app-context.ts'

export type Dossier = {
  readonly app: FastifyInstance
  readonly routes: readonly Route[]
  /** The setup link for creating the owner; its code expires when the server stops. */
  readonly setupLink: string | undefined
  readonly start: () => Promise<void>
  /** Stops accepting requests, then stops background work. The caller closes the database. */
  readonly stop: () => Promise<void>
}

/** Creates and connects all server components. */
export async function compose(bare: BaseContext): Promise<Dossier> {
  const { config, clock } = bare
  const meters = openMeters(bare)
  const context: BaseContext = { ...bare, database: meters.database }
  const newId = createIdGenerator(() => clock().getTime(), bare.randomBytes ?? randomBytes)
  const places = await openFileStorage(context, meters)
  const keys = openKeyRing(config.dataFolder, { clock, onReplaced: () => persistKeyIds(context) })
  const counters = openAttemptCounters(context.database, clock)
  const isLeaked = createLeakCheck({ ...context, url: config.passwordRangeUrl })
  const mailer = composeMailer(context, newId, keys)
  const rules = createAccessRulesCache(context.database)
  const definitions = definitionsCache(context.database, () => performance.now())
  const rightsOf = createRightsResolver(rules, {
    instead: context.grantsInstead,
    noticeDefinitions: definitions.notice,
  })
  const common: AppContext = {
    ...context,
    newId,
    keys,
    mailer,
    counters,
    isLeaked,
    rules,
    rightsOf,
    feed: createChangeFeed(),
  }

  if (config.owner !== undefined) await createConfiguredOwner(common, config.owner)
  const records = composeRecords(common, definitions)
  const accounts = await composeIdentity(common, records)
  const files = composeFiles(common, records, places)
  const sweeper = createSweeper(files)
  const imports = createImports(records, { ...config, log: common.log, rightsOf })
  const importCleanup = createImportCleanup(imports)
  const bulk = composeBulk(common, imports)
  const search = createSearchIndexer({ ...records, log: common.log })
  const forSample = { ...files, ...imports }
  const sample = createSampleLoader(forSample, config.sample === 'yes')
  const routes: readonly Route[] = [
    ...composeHealth(files),
    ...meters.routes,
    ...accounts.routes,
    ...tourRoutes(common),
    ...composeBranding(common),
    ...composeDefinitions(bulk),
    ...indexRoutes(records),
    ...recordRoutes(records),
    ...recalculationRoutes(records),
    ...composeHistory(bulk),
    ...viewRoutes(records),
    ...dashboardRoutes(records),
    ...homeRoutes(records),
    ...bulkRoutes(bulk),
    ...workflowRoutes(records),
    ...searchRoutes({ ...records, shareOf: search.shareOf }),
    ...peopleRoutes(common),
    ...tusRoutes(files),
    ...storageRoutes(common),
    ...filePondRoutes({ ...records, ...files }),
    ...assetRoutes(files),
    ...zipRoutes({ ...records, ...files }),
    ...importRoutes(imports),
    ...sampleRoutes(forSample, sample),
    ...openApiRoutes({ definitions: records.definitions, publicUrl: config.publicUrl, routes: () => routes }),
  ]

  const app = await composeApp(common, records, { routes, watch: meters.watch })
  const beside = { meters, mailer, accounts, sweeper, search, importCleanup, jobs: createJobRunner(bulk), sample }
  const running = createLifecycle(app, { ...records, ...beside, ...composeChangeListeners(records, common) })
  return { app, routes, setupLink: accounts.setupLink, ...running }
}

const composeHistory = (deps: BulkDeps): readonly Route[] => [
  ...historyRoutes(deps),
  ...activityRoutes(deps),
  ...trashRoutes(deps),
]

const composeBranding = (common: AppContext): readonly Route[] =>
  brandingRoutes({
    ...common,
    cache: openDiskCache(join(common.config.dataFolder, 'pictures')),
    pictureProcess: openPictureProcess(),
  })

/** If this fails, the next start tries again. */
function persistKeyIds({ config, database, log }: BaseContext): void {
  database
    .write((transaction) => recordKeyIds(config, transaction))
    .then(
      (fault) => fault !== undefined && log.error(fault),
      (error: unknown) => log.warn({ err: error }, 'failed to store key ids in the database'),
    )
}

const composeApp = (common: AppContext, { definitions }: RecordDeps, shell: Pick<AppDeps, 'routes' | 'watch'>) =>
  buildApp({
    ...shell,
    authenticate: authenticator(common),
    forgetDefinitions: definitions.drop,
    log: common.log,
    publicUrl: common.config.publicUrl,
    trustedProxies: common.config.trustedProxies,
    corsOrigins: common.config.corsOrigins,
    webFolder: common.config.webFolder,
    session: common.config.session,
  })

const composeMailer = (context: BaseContext, newId: IdGenerator, keys: KeyRing): Mailer =>
  openMailer({ ...context, newId, keys, way: context.config.mail && openSmtpTransport(context.config.mail) })

const composeHealth = ({ database, blobs }: AppContext & AssetDeps): readonly Route[] =>
  healthRoutes({
    version: VERSION,
    checkReady: () => assertReady(database, blobs),
  })

function composeRecords(
  { database, clock, newId, keys, log, feed }: AppContext,
  definitions: DefinitionsCache,
): RecordDeps & { indexes: IndexManager; recalculation: RecalculationWorker } {
  const announce = (event: Event): void => {
    if (event.type === 'definitions-changed') definitions.drop()
    if (event.type === 'recalculation-requested') recalculation.wake()
  }
  const report = (error: unknown): void => log.warn({ err: error }, 'record query failed')
  const shapes = createListCache({ feed, nowMs: () => performance.now(), report, catchUp: database.catchUp })
  const base = { database, definitions, clock, newId }
  const indexes = createIndexManager({ ...base, log })
  const { note: recordQueryTime, isIndexed } = indexes
  const writing = { ...base, announce, feed, isIndexed }
  const recalculation = createRecalculationWorker({ ...writing, log, keepIndexes: indexes.keep })
  return {
    ...writing,
    recalculation,
    shapes,
    recordQueryTime,
    indexes,
    fileAddress: createFileUrlSigner(keys, clock),
    cursorSeal: createCursorSeal(keys),
  }
}

const composeBulk = (
  { convertedAtOnce = MAX_AT_ONCE, changedAtOnce = MAX_AT_ONCE }: AppContext,
  imports: ReturnType<typeof createImports>,
): BulkDeps => ({
  ...imports,
  convertedAtOnce,
  changedAtOnce,
  fieldConversion,
  undoDefinitions,
  jobs: new Map(),
})

const composeDefinitions = (bulk: BulkDeps): readonly Route[] => [
  ...collectionRoutes(bulk),
  ...deletedDefinitionRoutes(bulk),
  ...templateRoutes(bulk),
]

const composeChangeListeners = (records: RecordDeps, { log }: AppContext) => ({
  trash: createTrashCleanup({ ...records, log, purgeDefinitions: () => purgeExpiredDefinitions(records) }),
  otherInstances: createClusterSync(records),
  leftBehind: createColumnCleanup({ ...records, log }),
})

/** Fails if the storage belongs to another workspace. */
async function openFileStorage(context: BaseContext, meters: Meters): Promise<Pick<UploadDeps, 'blobs' | 'staging'>> {
  const report = (error: unknown): void => context.log.warn({ err: error }, 'file storage error')
  const blobs = meters.measured(await openStorage(context.config, report))
  const places = { blobs, staging: openStaging(stagingFolderOf(context.config)) }
  await claimStorage({ ...context, ...places })
  return places
}

function composeFiles(
  common: AppContext,
  { definitions }: RecordDeps,
  places: Pick<UploadDeps, 'blobs' | 'staging'>,
): AppContext & UploadDeps & AssetDeps {
  return {
    ...common,
    ...places,
    definitions,
    remote: common.remote ?? remoteClient,
    pictures: openThumbnails(places.blobs, openDiskCache(join(common.config.dataFolder, 'pictures'))),
    hashes: createRunningHashes(),
    uploadTurns: createKeyedMutex(),
    blobTurns: createKeyedMutex(),
    cookieActor: cookieActor({
      ...common,
      publicUrl: common.config.publicUrl,
      cookie: refreshCookieFor(common.config.publicUrl, common.keys),
    }),
  }
}
