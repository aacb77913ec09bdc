import * as api from '#api/imports.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { readSample } from './read-sample.ts'
import type { SampleLoader } from './sample-loader.ts'
import type { SampleDeps } from './sample-deps.ts'

export const sampleRoutes = (needs: SampleDeps, keeper: SampleLoader): readonly Route[] => [
  route(api.loadSample, canByHand('collections:manage'), async ({ actor, query }) =>
    keeper.begin(actor, query.language),
  ),
  route(api.readSample, can('collections:manage'), async () => readSample(needs)),
]
