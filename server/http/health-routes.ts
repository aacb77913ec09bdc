import { health, ready } from '#api/system.ts'
import { open } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'

export type HealthDeps = { readonly version: string; readonly checkReady: () => Promise<void> }

export const healthRoutes = ({ version, checkReady }: HealthDeps): readonly Route[] => [
  route(health, open('health checks have no account'), async () => ({ status: 'alive' as const, version })),
  route(ready, open('health checks have no account'), async () => {
    await checkReady()
    return { status: 'ready' as const }
  }),
]
