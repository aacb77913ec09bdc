import { z } from 'zod'
import * as account from './account.ts'
import * as activity from './activity.ts'
import * as audit from './audit.ts'
import * as bulk from './bulk.ts'
import * as changes from './changes.ts'
import * as collections from './collections.ts'
import type { Endpoint } from './endpoint.ts'
import * as files from './files.ts'
import * as filters from './filters.ts'
import * as history from './history.ts'
import * as home from './home.ts'
import * as imports from './imports.ts'
import * as indexes from './indexes.ts'
import * as providers from './providers.ts'
import * as recalculations from './recalculations.ts'
import * as records from './records.ts'
import * as roles from './roles.ts'
import * as rules from './rules.ts'
import * as search from './search.ts'
import * as secondFactors from './second-factors.ts'
import * as sessions from './sessions.ts'
import * as system from './system.ts'
import * as trash from './trash.ts'
import * as templates from './templates.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
import * as dashboards from './dashboards.ts'
import * as views from './views.ts'
import * as workflows from './workflows.ts'
import * as workspace from './workspace.ts'

type Module = { readonly [name: string]: unknown }

/** Endpoint modules by area, in API reference order. */
const AREAS = [
  { area: 'Records', modules: [records, history, activity, changes, trash, bulk, workflows, search] },
  { area: 'Collections', modules: [collections, recalculations, rules, indexes, filters, templates] },
  { area: 'Views', modules: [views, dashboards] },
  { area: 'Favorites and home', modules: [home] },
  { area: 'Files', modules: [files] },
  { area: 'Uploads', modules: [uploads] },
  { area: 'Import and export', modules: [imports] },
  { area: 'Sign-in', modules: [sessions, secondFactors, providers] },
  { area: 'Account', modules: [account] },
  { area: 'People', modules: [users] },
  { area: 'Roles', modules: [roles] },
  { area: 'Workspace', modules: [workspace, audit, system] },
] as const satisfies readonly { readonly area: string; readonly modules: readonly Module[] }[]

export type AreaName = (typeof AREAS)[number]['area']

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export type NamedEndpoint = { readonly name: string; readonly area: string; readonly endpoint: Endpoint }

export const ALL_ENDPOINTS: readonly NamedEndpoint[] = AREAS.flatMap(({ area, modules }) =>
  modules.flatMap((module: Module) =>
    Object.entries(module).flatMap(([name, endpoint]) => (isEndpoint(endpoint) ? [{ name, area, endpoint }] : [])),
  ),
)

/** Exported schemas, which become named components in the OpenAPI document. */
export const NAMED_SCHEMAS: readonly { readonly name: string; readonly schema: z.ZodType }[] = AREAS.flatMap(
  ({ modules }) =>
    modules.flatMap((module: Module) =>
      Object.entries(module).flatMap(([name, schema]) => (schema instanceof z.ZodType ? [{ name, schema }] : [])),
    ),
)
