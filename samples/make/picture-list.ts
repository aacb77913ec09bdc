/** States to draw maps for, by postal code. */
export const STATE_MAPS = ['AK', 'AZ', 'CA', 'CO', 'FL', 'GA', 'IL', 'NY', 'TX', 'WA'] as const

/** Airports to draw route maps for, by code. */
export const ROUTE_MAPS = ['ATL', 'BOS', 'DEN', 'DFW', 'JFK', 'LAX', 'MEM', 'MSP', 'ORD', 'SEA'] as const

/** Animals to draw strike calendars for. */
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

/** Available habitat maps: the animal's name in the strike reports and its name in the habitat table. */
export const HABITATS = [
  { animal: 'American robin', inTable: 'American Robin' },
  { animal: 'White-tailed deer', inTable: 'White-tailed Deer' },
] as const

/** Strikes to draw location maps for, by the number at the start of their title. */
export const STRIKE_MAPS = ['1995-0462', '1998-0060', '1999-0149', '2000-0072', '2001-0100', '2001-0357'] as const
