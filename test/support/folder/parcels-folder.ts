import type { RequestListener } from 'node:http';
import { current, next } from '../service/build-versions.ts';
import type { TestFolder } from './test-folder.ts';

const document = (weight: string): string => `
openapi: 3.1.0
info: { title: Parcels, version: "${next}" }
paths:
  /parcels:
    get:
      operationId: parcels:list
      security: []
      responses:
        "200":
          description: All of them.
          content: { application/json: { schema: { type: object, required: [items], properties: { items: { type: array, items: { $ref: "#/components/schemas/Parcel" } } } } } }
    post:
      operationId: parcels:send
      security: [{ token: ["parcels:send"] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewParcel" } } } }
      responses:
        "201": { description: It., content: { application/json: { schema: { $ref: "#/components/schemas/Parcel" } } } }
  /parcels/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: parcels:read
      security: []
      responses:
        "200": { description: It., content: { application/json: { schema: { $ref: "#/components/schemas/Parcel" } } } }
        "404": { description: No., content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
    head: { operationId: parcels:look, security: [], responses: { "200": { description: It is there. } } }
    delete: { operationId: parcels:drop, security: [], responses: { "204": { description: It is gone. } } }
  /parcels/{id}/label:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: parcels:label
      security: []
      responses: { "200": { description: A text., content: { text/plain: { schema: { type: string }, example: "To: Ada" } } } }
  /parcels/{id}/picture:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: parcels:picture
      security: []
      responses: { "200": { description: A picture., content: { image/png: {} } } }
  /parcels/{id}/track:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: parcels:track
      security: []
      responses: { "302": { description: At the carrier., headers: { Location: { required: true, schema: { type: string, format: uri } } } } }
  /riddle:
    get:
      operationId: riddle:read
      security: []
      responses: { "200": { description: Nobody knows., content: { application/json: { schema: { allOf: [{ type: string }, { type: integer }] } } } } }
components:
  securitySchemes: { token: { type: oauth2, flows: {} } }
  schemas:
    Parcel:
      type: object
      required: [id, ${weight}]
      additionalProperties: false
      properties:
        id: { type: string, example: par-1 }
        ${weight}: { type: integer, minimum: 1, example: 250 }
        api_secret: { type: string, example: hush }
    NewParcel:
      type: object
      required: [${weight}]
      additionalProperties: false
      properties:
        ${weight}: { type: integer, minimum: 1 }
        api_secret: { type: string }
    Error: { type: object, required: [error], properties: { error: { type: string, example: not_here } } }
`;

const changes = `
const older = ({ grams, ...parcel }) => ({ ...parcel, weight: grams });
const newer = ({ weight, ...parcel }) => ({ ...parcel, grams: weight });
export const changes = [
  {
    name: 'renameWeight', kind: 'changed', summary: 'weight is called grams.', why: 'So.', upgradeNote: 'Rename it.',
    examples: [{ before: null, after: { answerTo: 'GET /parcels/{id}', body: { id: 'par-1', grams: 250 } } }],
    touches: ['parcels:**'],
    upgradeRequest: { 'parcels:send': (request) => ({ ...request, body: newer(request.body) }) },
    downgradeResponse: {
      'parcels:list': ({ items }) => ({ items: items.map(older) }),
      'parcels:send': older, 'parcels:read': older,
    },
  },
];
`;

/** An API with an answer of each kind, whose `weight` is called `grams` in Next. */
export const parcelsFolder = (upstream: RequestListener): TestFolder => ({
  contract: document('grams'),
  frozen: document('weight'),
  files: { [`contract/changes/${next}-to-${current}/index.mjs`]: changes },
  scopes: ['parcels:send'],
  upstream,
});
