import * as api from '#api/templates.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { listTemplates } from './list-templates.ts'
import { undoTemplate } from './undo-template.ts'
import { useTemplate } from './use-template.ts'

/** The HTTP door of templates. */
export const templateRoutes = (needs: RecordDeps): readonly Route[] => [
  route(api.listTemplates, can('collections:manage'), async ({ query }) => ({
    items: listTemplates(query.language),
  })),
  route(api.useTemplate, can('collections:manage'), async ({ actor, params, body }) =>
    useTemplate(needs, actor, params.template, body),
  ),
  route(api.undoTemplate, can('collections:manage'), async ({ actor, body }) =>
    undoTemplate(needs, actor, body.collections),
  ),
]
