export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Deep equality of JSON values, ignoring key order. */
export function sameJson(left: Json, right: Json): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, at) => sameItem(item, right[at]))
    )
  }
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length && keys.every((key) => sameItem(left[key], right[key]))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const sameItem = (left: Json | undefined, right: Json | undefined): boolean =>
  left === undefined || right === undefined ? left === right : sameJson(left, right)
