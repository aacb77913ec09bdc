import {
  type DateFields,
  dateFieldsProblem,
  NO_DATE_FIELDS,
  readDateFields,
  renameDateFields,
  startDateFields,
} from './dates/date-fields.ts'
import { TIMELINE_ZOOMS, type TimelineZoom } from './dates/timeline-scale.ts'
import type { ViewKindRules } from './view-kind.ts'

/** Records are grouped as the list is. */
export type TimelineOptions = DateFields & { readonly zoom: TimelineZoom }

const defaults: TimelineOptions = { ...NO_DATE_FIELDS, zoom: 'month' }

export const timeline: ViewKindRules<TimelineOptions> = {
  startFor: (collection) => {
    const fields = startDateFields(collection)
    return fields && { ...defaults, ...fields }
  },
  read: (stored) => ({
    ...readDateFields(stored),
    zoom: TIMELINE_ZOOMS.find((zoom) => zoom === stored['zoom']) ?? defaults.zoom,
  }),
  renameFields: (options, rename) => ({ ...options, ...renameDateFields(options, rename) }),
  problem: dateFieldsProblem,
}
