import * as api from '#api/imports.ts'
import type { SampleBody } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Language } from '#domain/shared/language.ts'
import { Problem } from '#domain/shared/problem.ts'
import { isRunnerGone } from '#server/records/jobs/job-runner.ts'
import { createSampleRun, readSample, removeSample } from './load-sample.ts'
import { type SampleDeps, findSample } from './store.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'

export type SampleLoader = {
  readonly begin: (actor: Actor, language: Language) => Promise<SampleBody>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

const FIRST_START: Actor = { type: 'system', reason: 'loading the sample at first start' }

/** Ignores the error for existing data or a sample that is already being loaded. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'sample-not-empty') throw error
}

/** `isWanted`: whether to load the sample at the first start, in English. */
export function createSampleLoader(deps: SampleDeps, isWanted: boolean): SampleLoader {
  const run = createSampleRun(deps)
  let tidying: Promise<unknown> = Promise.resolve()
  return {
    begin: run.begin,
    start: async () => {
      const sample = await findSample(deps.database.read)
      if (sample?.state === 'running' && (await isRunnerGone(deps, { ...sample, aliveAt: sample.startedAt }))) {
        tidying = removeSample(deps, {
          message: 'The server stopped while the sample workspace was being created. Load it again.',
        }).then(undefined, (error: unknown) => deps.log.error({ err: error }, 'removing an incomplete sample failed'))
      }
      const { list } = await deps.definitions.current()
      if (isWanted && !sample && list.length === 0) await run.begin(FIRST_START, 'en').then(undefined, ignoreConflict)
    },
    stop: async () => {
      await tidying
      await run.stop()
    },
  }
}

export const sampleRoutes = (deps: SampleDeps, loader: SampleLoader): readonly Route[] => [
  route(api.loadSample, canByHand('collections:manage'), async ({ actor, query }) =>
    loader.begin(actor, query.language),
  ),
  route(api.readSample, can('collections:manage'), async () => readSample(deps)),
]
