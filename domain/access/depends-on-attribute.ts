import { readsAttribute } from '#domain/query/check-condition.ts'
import { attributeNameOf } from '#domain/query/attribute-markers.ts'
import { type Grant, isMarker } from './grant.ts'

/** Whether what a grant gives depends on what is noted about people under a name: by its condition, or by what new records start with. */
export const dependsOnAttribute = ({ where, presets = {} }: Grant, name: string): boolean =>
  (where !== undefined && readsAttribute(where, name)) ||
  Object.values(presets).some((preset) => isMarker(preset) && attributeNameOf(preset) === name)
