import type { FastifyInstance } from 'fastify'
import type { Clock } from '#domain/shared/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Route } from '#server/platform/http/route.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { VERSION } from '#server/version.ts'
import { meteredDatabase } from './database-meter.ts'
import { gauge, type Metric } from './metric.ts'
import { processMeter } from './process-meter.ts'
import { requestMeter } from './request-meter.ts'
import { type Meter, metricsRoutes } from './routes.ts'
import { meteredStorage } from './storage-meter.ts'
import { workMeter } from './work-meter.ts'

/** Everything that is measured of one server, and the door where it is told. */
export type Meters = {
  /** The same database, measured. */
  readonly database: Database
  /** The same storage, measured. */
  readonly measured: (blobs: BlobStorage) => BlobStorage
  readonly watch: (app: FastifyInstance) => void
  readonly routes: readonly Route[]
  readonly stop: () => void
}

/** What meters are made from. */
export type MeterDeps = { readonly config: Config; readonly database: Database; readonly clock: Clock }

/** Makes the meters of one server. */
export function openMeters({ config, database: bare, clock }: MeterDeps): Meters {
  const { database, metrics: databaseMetrics } = meteredDatabase(bare)
  const requests = requestMeter()
  const ofProcess = processMeter()
  const meters: Meter[] = [
    { metrics: () => [buildInfo(config, bare)] },
    ofProcess,
    requests,
    { metrics: databaseMetrics },
    workMeter({ database: bare, clock }),
  ]
  return {
    database,
    measured: (plain) => {
      const { blobs, metrics } = meteredStorage(plain)
      meters.push({ metrics })
      return blobs
    },
    watch: requests.watch,
    routes: metricsRoutes(() => meters),
    stop: ofProcess.stop,
  }
}

const buildInfo = ({ s3 }: Config, { dialect }: Database): Metric =>
  gauge('dossier_build_info', 'Version and runtime information.', 1, {
    version: VERSION,
    node: process.versions.node,
    database: dialect,
    storage: s3 === undefined ? 'disk' : 's3',
  })
