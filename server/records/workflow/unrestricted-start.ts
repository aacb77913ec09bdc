import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { withoutWorkflow } from '#domain/workflow/check-workflow.ts'

/** Managers of a collection can create records in any state. */
export const withoutStartRestriction = (actor: Actor, collection: Collection): Collection =>
  decide(actor, 'collections:manage', collection).allowed ? withoutWorkflow(collection) : collection
