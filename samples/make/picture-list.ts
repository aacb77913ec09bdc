/** A map of a state for each of these, by postal code. */
export const STATE_MAPS = ['AK', 'AZ', 'CA', 'CO', 'FL', 'GA', 'IL', 'NY', 'TX', 'WA'] as const

/** A map of all routes for each of these airports, by code. */
export const ROUTE_MAPS = ['ATL', 'BOS', 'DEN', 'DFW', 'JFK', 'LAX', 'MEM', 'MSP', 'ORD', 'SEA'] as const

/** A calendar for each of these animals. */
export const CALENDARS = [
  'American kestrel',
  'Barn swallow',
  'Canada goose',
  'European starling',
  'Mourning dove',
  'Pacific golden-plover',
  'Red-tailed hawk',
  'Ring-billed gull',
] as const

/** Habitat maps there are: the animal of the strike reports and how the habitat table names it. */
export const HABITATS = [
  { animal: 'American robin', inTable: 'American Robin' },
  { animal: 'White-tailed deer', inTable: 'White-tailed Deer' },
] as const

/** Strikes that get a map of where they happened, by the number their title begins with. */
export const STRIKE_MAPS = ['1995-0462', '1998-0060', '1999-0149', '2000-0072', '2001-0100', '2001-0357'] as const
