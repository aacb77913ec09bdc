import { namesOwn } from '../query/check-condition.ts'
import { ownName } from '../query/own-texts.ts'
import { type Grant, isMarker } from './grant.ts'

/** Whether what a grant gives depends on what is noted about people under a name: by its condition, or by what new records start with. */
export const readsOwn = ({ where, presets = {} }: Grant, name: string): boolean =>
  (where !== undefined && namesOwn(where, name)) ||
  Object.values(presets).some((preset) => isMarker(preset) && ownName(preset) === name)
